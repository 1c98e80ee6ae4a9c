import { after, type TestContext } from "node:test";

/** Stands in for the context of one test where a whole file shares something: cleaned up after its last test. */
export const wholeFile: Pick<TestContext, "after"> = {
  after: (clean, options) => after(clean as () => unknown, options),
};
