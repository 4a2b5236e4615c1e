// Fails when a text is missing in a language, is shown nowhere, or is asked for and does not exist.
//
// Keys are read from the code by the TypeScript compiler, so a computed key is fine as long as its parts have types of
// literal names: t(`places.${place}.long`) with `place: "chat" | "data"`. A part that may be any string, such as a code
// of the server, counts as use of every key it could name, and must be asked for with `i18n.exists` first.

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const LOCALES = join(ROOT, "src/locales");
const DEFAULT_NAMESPACE = "common";
const PLURAL = /_(zero|one|two|few|many|other)$/;
const HALF_WIDTH = /[\u4e00-\u9fff][,;:?!]/;

/** Flatten `{a: {b: "x"}}` to `[["a.b", "x"]]`. */
const flat = (texts, prefix = "") =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [[prefix + key, text]] : flat(text, `${prefix}${key}.`),
  );

/** All texts of a language: `namespace:key` → text. */
function textsOf(language) {
  const files = readdirSync(join(LOCALES, language)).filter((file) => file.endsWith(".json"));
  return new Map(
    files.flatMap((file) =>
      flat(JSON.parse(readFileSync(join(LOCALES, language, file), "utf8"))).map(([key, text]) => [
        `${basename(file, ".json")}:${key}`,
        text,
      ]),
    ),
  );
}

const ANYTHING = Symbol("any string");

/** The strings an expression can be: literal names, or `ANYTHING` where its type says no more. */
function namesOf(node, checker) {
  if (ts.isStringLiteralLike(node)) return [[node.text]];
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (before, span) => {
        const parts = namesOf(span.expression, checker);
        return before.flatMap((start) =>
          parts.map((part) => [...start, ...(part === ANYTHING ? [ANYTHING] : [part].flat()), span.literal.text]),
        );
      },
      [[node.head.text]],
    );
  }
  const names = namesOfType(checker.getTypeAtLocation(node));
  const declared =
    names.includes(ANYTHING) && ts.isIdentifier(node) && checker.getSymbolAtLocation(node)?.valueDeclaration;
  const made = declared && ts.isVariableDeclaration(declared) && ts.isVarConst(declared) && declared.initializer;
  return made ? namesOf(made, checker) : names;
}

const namesOfType = (type) =>
  (type.isUnion() ? type.types : [type]).map((one) =>
    one.isStringLiteral() || one.isNumberLiteral() ? [String(one.value)] : ANYTHING,
  );

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every use of a text: `{ namespace, key }`, or `{ namespace, pattern }` where part of the key can be any string. */
function usesIn(program) {
  const checker = program.getTypeChecker();
  const uses = [];

  const add = (file, node, keyNode, namespace, plural) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const where = `${file.fileName.slice(ROOT.length + 1)}:${line + 1}`;
    for (const name of namesOf(keyNode, checker)) {
      const parts = name === ANYTHING ? [ANYTHING] : name;
      if (parts.every((part) => part === ANYTHING || part === "")) {
        uses.push({ where, namespace, open: true });
      } else if (parts.includes(ANYTHING)) {
        const pattern = parts.map((part) => (part === ANYTHING ? ".+" : escaped(part))).join("");
        uses.push({ where, namespace, pattern: new RegExp(`^${pattern}$`) });
      } else {
        const [space, key] = parts.join("").includes(":") ? parts.join("").split(":") : [namespace, parts.join("")];
        uses.push({ where, namespace: space, key, plural });
      }
    }
  };

  const visit = (file, node) => {
    if (ts.isCallExpression(node) && node.arguments.length > 0) {
      const namespace = namespaceOf(node, checker);
      const plural = node.arguments.length > 1 && checker.getTypeAtLocation(node.arguments[1]).getProperty("count");
      if (namespace !== undefined) add(file, node, node.arguments[0], namespace, plural !== undefined && !!plural);
    }
    if ((ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) && node.tagName.getText() === "Trans") {
      const of = (name) =>
        node.attributes.properties.find((one) => ts.isJsxAttribute(one) && one.name.getText() === name)?.initializer;
      const [key, translate] = [of("i18nKey"), of("t")];
      const keyNode = key && ts.isJsxExpression(key) ? key.expression : key;
      const space = translate?.expression
        ? spaceOfType(checker.getTypeAtLocation(translate.expression), checker)
        : undefined;
      if (keyNode) add(file, node, keyNode, space ?? DEFAULT_NAMESPACE, of("count") !== undefined);
    }
    ts.forEachChild(node, (child) => visit(file, child));
  };

  for (const file of program.getSourceFiles()) {
    if (file.fileName.startsWith(join(ROOT, "src")) && !file.fileName.includes("/src/client/")) visit(file, file);
  }
  return uses;
}

/** The namespace a call reads its text from; `undefined` when it is no call of `t` or `exists`. */
function namespaceOf(call, checker) {
  const callee = call.expression;
  const exists = ts.isPropertyAccessExpression(callee) && callee.name.text === "exists";
  const space = exists
    ? checker.getTypeAtLocation(callee.expression).symbol?.name === "i18n"
      ? DEFAULT_NAMESPACE
      : undefined
    : spaceOfType(checker.getTypeAtLocation(callee), checker);
  if (space === undefined) return undefined;
  const options = call.arguments[1] && checker.getTypeAtLocation(call.arguments[1]);
  const chosen = options?.getProperty("ns");
  const type = chosen && checker.getTypeOfSymbolAtLocation(chosen, call);
  return type?.isStringLiteral() ? type.value : space;
}

/** The namespace in `TFunction<"memories">`. */
function spaceOfType(type, checker) {
  if (type.symbol?.name !== "TFunction") return undefined;
  let [space] = checker.getTypeArguments(type);
  if (space && checker.isTupleType(space)) [space] = checker.getTypeArguments(space);
  return space?.isStringLiteral() && space.value !== "translation" ? space.value : DEFAULT_NAMESPACE;
}

/** A plural's forms share a base; a key that merely ends like one, such as `step_other`, stays itself beside no `count`. */
const baseOf = (key) => key.replace(PLURAL, "");
const placeholdersOf = (text) => new Set([...text.matchAll(/{{-?\s*(\w+)/g)].map((found) => found[1]));

/** What is wrong with the texts, in sentences. */
function faultsOf(languages, uses) {
  const faults = [];
  const has = (texts, key) => texts.has(key) || [...texts.keys()].some((other) => other.startsWith(`${key}.`));
  for (const [language, texts] of languages) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const { where, namespace, key, plural, open } of uses) {
      if (open) faults.push(`${where} asks for a text of ${namespace}: that may have any name; give it a type`);
      if (key === undefined) continue;
      const full = `${namespace}:${key}`;
      if (plural && !texts.has(full)) {
        const missing = forms.filter((form) => !texts.has(`${full}_${form}`));
        for (const form of missing) faults.push(`${language}: ${full}_${form} is missing, used in ${where}`);
      } else if (!has(texts, full)) faults.push(`${language}: ${full} is missing, used in ${where}`);
    }
    for (const [full, text] of texts) {
      const [namespace, key] = full.split(/:(.*)/s);
      const used = uses.some(
        (use) =>
          use.namespace === namespace &&
          (use.pattern !== undefined
            ? use.pattern.test(key)
            : use.key !== undefined &&
              (use.key === key || key.startsWith(`${use.key}.`) || (use.plural && use.key === baseOf(key)))),
      );
      if (!used) faults.push(`${language}: ${full} is used nowhere`);
      if (language === "zh" && HALF_WIDTH.test(text)) faults.push(`zh: ${full} has half-width punctuation`);
      for (const [other, others] of languages) {
        if (other === language) continue;
        const twins = [...others].filter(([name]) => baseOf(name) === baseOf(full));
        if (twins.length === 0) faults.push(`${other}: ${full} is missing, ${language} has it`);
        else {
          const theirs = new Set(twins.flatMap(([, twin]) => [...placeholdersOf(twin)]));
          const lost = [...placeholdersOf(text)].filter((name) => !theirs.has(name));
          for (const name of lost) faults.push(`${other}: ${full} does not say {{${name}}}, ${language} does`);
        }
      }
    }
  }
  return [...new Set(faults)].sort();
}

const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const uses = usesIn(ts.createProgram(fileNames, options));
const languages = new Map(readdirSync(LOCALES).map((language) => [language, textsOf(language)]));
const only = process.argv.slice(2);
const faults = faultsOf(languages, uses).filter(
  (fault) => only.length === 0 || only.some((space) => fault.includes(` ${space}:`)),
);
for (const fault of faults) console.error(fault);
const counted = [...languages].map(([language, texts]) => `${language} ${texts.size}`).join(", ");
console.log(`locales: ${counted} texts, ${uses.length} uses, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
