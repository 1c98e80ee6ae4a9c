// Lets Node run the tests' TypeScript: Node 22.18 and later do so by themselves, in half of tsx's time to load.
if (!process.features.typescript) await import("tsx");
