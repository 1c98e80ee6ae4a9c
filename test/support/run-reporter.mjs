/** Reports as JSON which files defined a test that ran, and which tests were skipped. */
// biome-ignore lint/style/noDefaultExport: Node loads a reporter by its default export
export default async function* runReporter(events) {
  const ran = new Set();
  const skipped = [];
  for await (const { type, data } of events) {
    // Node 20 reports a file without tests as a test that is called like the file.
    if (!/^test:(pass|fail)$/.test(type) || data.name === data.file) continue;
    ran.add(data.file);
    if (data.skip !== undefined) skipped.push(`${data.name}: ${data.skip}`);
  }
  yield JSON.stringify({ ran: [...ran], skipped });
}
