import { AjvJsonSchemaValidator as NewerValidator } from "@modelcontextprotocol/client/validators/ajv";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";

/** What the official clients check answers with, by default one for each client. */
export const compiledSchemas = compiledOnce(new AjvJsonSchemaValidator());
export const newerCompiledSchemas = compiledOnce(new NewerValidator());

/** Compiling the output schemas of all tools took 0.15 s of CPU time for each client, and a file has up to thirty. */
function compiledOnce<Provider extends { getValidator(schema: never): unknown }>(provider: Provider): Provider {
  const compiled = new Map<string, unknown>();
  const getValidator = (schema: never) => {
    const text = JSON.stringify(schema);
    const validator = compiled.get(text) ?? provider.getValidator(schema);
    compiled.set(text, validator);
    return validator;
  };
  return Object.assign(Object.create(provider), { getValidator });
}
