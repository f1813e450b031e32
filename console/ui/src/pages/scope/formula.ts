// Formulas of signals, such as "joint1.position * 180 / pi": numbers, signals, + - * / ( ) and some functions.

/** The mistake in a formula, and its place. */
export class FormulaError extends Error {
  constructor(
    message: string,
    /** index in the text */
    readonly at: number,
  ) {
    super(message);
  }
}

/** Functions of one value. */
const FUNCTIONS = { abs: Math.abs, sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos };

type Node =
  | { kind: "number"; value: number }
  | { kind: "signal"; index: number }
  | { kind: "negative"; of: Node }
  | { kind: "call"; name: keyof typeof FUNCTIONS; of: Node }
  | { kind: "diff" | "integral"; of: Node }
  | { kind: "binary"; sign: "+" | "-" | "*" | "/"; left: Node; right: Node };

/** A formula that has been read. */
export interface Formula {
  text: string;
  /** Its signals in the order of their first use; the samples of the first give the times of the result. */
  signals: readonly string[];
  root: Node;
}

interface Token {
  kind: "number" | "name" | "signal" | "sign" | "end";
  text: string;
  at: number;
}

const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|"([^"]+)"|([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d+\])*)|([-+*/()−·]))/uy;

function tokens(text: string): Token[] {
  const list: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; ; ) {
    const match = TOKEN.exec(text);
    if (match === null) {
      const at = end + (text.slice(end).length - text.slice(end).trimStart().length);
      if (at < text.length) throw new FormulaError(text[at] === '"' ? 'the name has no closing "' : `unexpected “${text[at] ?? ""}”`, at);
      list.push({ kind: "end", text: "", at: text.length });
      return list;
    }
    const [, number, quoted, name, sign] = match;
    end = TOKEN.lastIndex;
    const at = end - (number ?? name ?? sign ?? `"${quoted}"`).length;
    if (number !== undefined) list.push({ kind: "number", text: number, at });
    else if (quoted !== undefined) list.push({ kind: "signal", text: quoted, at });
    else if (name !== undefined) list.push({ kind: /[.[]/.test(name) ? "signal" : "name", text: name, at });
    else list.push({ kind: "sign", text: sign === "−" ? "-" : sign === "·" ? "*" : (sign ?? ""), at });
  }
}

/** Reads a formula. check returns what is wrong with a signal's name, "" if nothing is. Throws a FormulaError. */
export function readFormula(text: string, check: (signal: string) => string = () => ""): Formula {
  const list = tokens(text);
  const signals: string[] = [];
  let next = 0;
  const peek = (): Token => list[next] ?? { kind: "end", text: "", at: text.length };
  const isSign = (...signs: string[]): boolean => peek().kind === "sign" && signs.includes(peek().text);
  const expect = (sign: string, why: string): void => {
    if (!isSign(sign)) throw new FormulaError(why, peek().at);
    next++;
  };

  const binary = (signs: ("+" | "-" | "*" | "/")[], operand: () => Node): Node => {
    let left = operand();
    while (isSign(...signs)) {
      const sign = (list[next++] as Token).text as "+";
      left = { kind: "binary", sign, left, right: operand() };
    }
    return left;
  };
  const sum = (): Node => binary(["+", "-"], () => binary(["*", "/"], factor));
  const factor = (): Node => {
    const token = peek();
    next++;
    if (token.kind === "number") return { kind: "number", value: Number(token.text) };
    if (token.kind === "signal") return signal(token);
    if (token.kind === "name") return named(token);
    if (token.text === "-") return { kind: "negative", of: factor() };
    if (token.text === "(") {
      const inner = sum();
      expect(")", "“)” is missing");
      return inner;
    }
    throw new FormulaError(token.kind === "end" ? "a value is missing at the end" : `a value is missing before “${token.text}”`, token.at);
  };
  const signal = ({ text: name, at }: Token): Node => {
    const problem = check(name);
    if (problem !== "") throw new FormulaError(problem, at);
    if (!signals.includes(name)) signals.push(name);
    return { kind: "signal", index: signals.indexOf(name) };
  };
  const named = ({ text: name, at }: Token): Node => {
    if (name === "pi") return { kind: "number", value: Math.PI };
    if (name !== "diff" && name !== "integral" && !Object.hasOwn(FUNCTIONS, name)) {
      throw new FormulaError(`no function or constant “${name}”: there are diff, integral, ${Object.keys(FUNCTIONS).join(", ")} and pi; a signal is BLOCK.PORT`, at);
    }
    expect("(", `“(” is missing after ${name}`);
    const of = sum();
    expect(")", "“)” is missing");
    return name === "diff" || name === "integral" ? { kind: name, of } : { kind: "call", name: name as keyof typeof FUNCTIONS, of };
  };

  const root = sum();
  if (peek().kind !== "end") throw new FormulaError(`“${peek().text}” is not expected here`, peek().at);
  if (signals.length === 0) throw new FormulaError("a formula needs a signal", 0);
  return { text, signals, root };
}

/** Computes a formula at increasing times, without allocations. */
export interface Evaluator {
  /** Returns the result for the values of the signals at a time; NaN where it does not exist. */
  at(values: Float64Array, time: number): number;
  /** Forgets earlier values, before a gap or a restart. */
  reset(): void;
}

/** Returns an evaluator of a formula. */
export function evaluator(formula: Formula): Evaluator {
  const resets: (() => void)[] = [];
  const at = compile(formula.root, resets);
  return { at, reset: () => resets.forEach((reset) => reset()) };
}

function compile(node: Node, resets: (() => void)[]): Evaluator["at"] {
  if (node.kind === "number") return () => node.value;
  if (node.kind === "signal") return (values) => values[node.index] as number;
  if (node.kind === "binary") {
    const [left, right] = [compile(node.left, resets), compile(node.right, resets)];
    if (node.sign === "+") return (values, time) => left(values, time) + right(values, time);
    if (node.sign === "-") return (values, time) => left(values, time) - right(values, time);
    if (node.sign === "*") return (values, time) => left(values, time) * right(values, time);
    return (values, time) => left(values, time) / right(values, time);
  }
  const of = compile(node.of, resets);
  if (node.kind === "negative") return (values, time) => -of(values, time);
  if (node.kind === "call") {
    const apply = FUNCTIONS[node.name];
    return (values, time) => apply(of(values, time));
  }
  let [before, then] = [NaN, NaN];
  resets.push(() => (before = then = NaN));
  if (node.kind === "integral") {
    let area = 0;
    resets.push(() => (area = 0));
    return (values, time) => {
      const value = of(values, time);
      const strip = ((value + before) / 2) * (time - then); // trapezoidal rule
      if (Number.isFinite(strip)) area += strip;
      [before, then] = [value, time];
      return Number.isFinite(value) ? area : NaN;
    };
  }
  return (values, time) => {
    const value = of(values, time);
    const slope = (value - before) / (time - then);
    [before, then] = [value, time];
    return slope;
  };
}

/** Returns the unit of a formula; "" if it has none, or if units are mixed. */
export function unitOf(formula: Formula, units: (signal: string) => string): string {
  const of = (node: Node): string => {
    switch (node.kind) {
      case "number":
        return "";
      case "signal":
        return units(formula.signals[node.index] ?? "");
      case "negative":
        return of(node.of);
      case "call":
        return node.name === "abs" ? of(node.of) : "";
      case "diff":
        return of(node.of) && `${of(node.of)}/s`;
      case "integral":
        return /\/s$/.test(of(node.of)) ? of(node.of).slice(0, -2) : of(node.of) && `${of(node.of)}·s`;
    }
    const [left, right] = [of(node.left), of(node.right)];
    if (node.sign === "*") return left && right ? `${left}·${right}` : left || right;
    if (node.sign === "/") return left === right ? "" : right ? `${left || "1"}/${right}` : left;
    if (left === right || node.right.kind === "number") return left;
    return node.left.kind === "number" ? right : "";
  };
  return of(formula.root);
}
