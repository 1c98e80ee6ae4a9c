import type { Request } from "express";
import { invalidRequest } from "../src/contract/errors.ts";
import type { Problem } from "../src/contract/problem.ts";
import { type Parameter, parametersOf } from "./parameters.ts";
import type { RestOperation } from "./rest-operation.ts";

/** How a request becomes the tool's arguments, and how problems name them. */
export interface Binding {
  /** Called by the call pipeline. Throws INVALID_REQUEST where an argument of a header stands in the body. */
  argumentsOf(request: Request): Record<string, unknown>;
  /** The problem with the arguments named as the request names them. */
  named(problem: Problem, request: Request): Problem;
}

export function bindArguments(row: RestOperation): Binding {
  const parameters = parametersOf(row);
  const renamed = parameters.filter(({ argument, name }) => argument !== name);
  const misplaced = ({ body }: Request) =>
    parameters.find(({ argument }) => row.method === "post" && Object.hasOwn(body, argument));

  return {
    argumentsOf(request) {
      const wrong = misplaced(request);
      if (wrong) {
        const message = `Unknown field; send it as the ${wrong.name} header.`;
        throw invalidRequest([{ field: wrong.argument, message }]);
      }
      const args: Record<string, unknown> = row.method === "post" ? { ...request.body } : {};
      for (const parameter of parameters) {
        const value = read(parameter, request);
        if (value !== undefined) args[parameter.argument] = value;
      }
      return args;
    },
    named(problem, request) {
      if (!problem.field_errors || misplaced(request)) return problem;
      const inRequest = (text: string) =>
        renamed.reduce((result, { argument, name }) => result.replace(new RegExp(`^${argument}\\b`), name), text);
      const fieldErrors = problem.field_errors.map((each) => ({ ...each, field: inRequest(each.field) }));
      return { ...problem, detail: inRequest(problem.detail), field_errors: fieldErrors };
    },
  };
}

/** Parameters are text; what the tool takes as an integer is converted where it is one. */
function read({ in: place, name, schema }: Parameter, request: Request): unknown {
  const sources = { path: request.params, query: request.query };
  const value = place === "header" ? request.get(name) : sources[place][name];
  const isInteger = schema.type === "integer" && typeof value === "string" && /^\d{1,9}$/.test(value);
  return isInteger ? Number(value) : value;
}
