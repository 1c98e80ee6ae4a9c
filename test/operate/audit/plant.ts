import assert from "node:assert/strict";
import type { Finding } from "../../../src/domain/catalog/finding.ts";
import type { CatalogFiles } from "../../support/catalog-folder.ts";
import type { Fields } from "../../support/mcp-client.ts";

/** Changes the content of one file of a catalog, or others beside it. */
export type Plant = (content: Fields, files: CatalogFiles) => void;

export type Row = readonly [
  what: string,
  plant: Plant,
  at: string,
  value: string,
  advice: RegExp,
  severity: Finding["severity"],
];

/** A value at a path, in which records of lists are named by their ids. */
export function put(path: string, value: unknown): Plant {
  return (content) => Object.assign(parentOf(content, path), { [lastOf(path)]: value });
}

export function drop(path: string): Plant {
  return (content) => {
    const parent = parentOf(content, path);
    const record = memberOf(parent, lastOf(path));
    if (Array.isArray(parent)) parent.splice(parent.indexOf(record), 1);
    else delete parent[lastOf(path)];
  };
}

export const add =
  (list: string, ...records: readonly object[]): Plant =>
  (content) =>
    content[list].push(...records);
/** A copy of a record with other fields. */
export const copy =
  (path: string, changed: object): Plant =>
  (content) => {
    const list = parentOf(content, path);
    list.push({ ...memberOf(list, lastOf(path)), ...changed });
  };
export const swapped = (path: string): Plant => {
  return (content) => {
    const at = memberOf(parentOf(content, path), lastOf(path));
    Object.assign(at, { lat: at.lng, lng: at.lat });
  };
};
export const rename = (to: string): Plant => {
  return (content, files) => {
    for (const [file, each] of files) if (each === content) files.delete(file);
    files.set(to, content);
  };
};
export const write =
  (file: string, content: Fields | string | Buffer): Plant =>
  (_, files) =>
    files.set(file, content);
export const both =
  (...plants: readonly Plant[]): Plant =>
  (content, files) => {
    for (const plant of plants) plant(content, files);
  };
export const inFile =
  (file: string, plant: Plant): Plant =>
  (_, files) =>
    plant(contentOf(files, file), files);

function lastOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

function parentOf(content: Fields, path: string): Fields {
  return path.split("/").slice(0, -1).reduce(memberOf, content);
}

function memberOf(parent: Fields, name: string): Fields {
  const isNamed = (each: Fields) => [each.id, each.key, each.kind].includes(name);
  return (Array.isArray(parent) && parent.find(isNamed)) || parent[name] || assert.fail(`nothing is called ${name}`);
}

export function contentOf(files: CatalogFiles, file: string): Fields {
  const content = files.get(file);
  assert.ok(content && typeof content === "object" && !Buffer.isBuffer(content), `${file} is not JSON`);
  return content;
}
