import { after, type TestContext } from "node:test";

/** Replaces the context of a test for what a whole file shares; cleaned up after its last test. */
export const wholeFile: Pick<TestContext, "after"> = {
  after: (clean, options) => after(clean as () => unknown, options),
};
