// The evict-or-tombstone gate and its arbiter for Node, without dependencies, written from docs/conformance-protocol.md.
//
//   node --experimental-strip-types gate.ts     (Node 22.6 or later; from 22.18 on the flag is not needed)
//
// Types are only annotations here, so that whatever removes them leaves the program as it is.

import { createInterface } from "node:readline";

type Schema = "shown" | "lossy" | "withheld";

interface Tool {
  name: string;
  effect: "mutation" | "reading" | "unknown";
  schema: Schema;
  registered: boolean;
  requested: boolean;
  pinned: boolean;
  schema_tokens: number;
  tombstone_tokens: number;
  idle_turns: number;
  calls: number;
}

interface Group {
  kind: "calls";
  id: string;
  calls: { tool: string; tokens: number }[];
}

interface Tombstone {
  kind: "tombstone";
  tool: string;
}

type Item = Group | Tombstone;

interface Case {
  tools: Tool[];
  history: Item[];
  rest_tokens: number;
  budgets: { kind: "joint"; total: number } | { kind: "separate"; arguments: number; schemas: number };
  order: "declared" | "least-recently-called" | "least-frequently-called" | "largest-schema-first";
  gate: "tombstone" | "evict" | "strict";
}

interface Sum {
  needed: number;
  limit: number;
}

type Decision = { decision: string; tool: string } | { decision: "evicted"; group: string };

type Part = { what: "rest"; tokens: number } | { what: string; tool: string; tokens: number } | { what: "calls"; group: string; tokens: number };

const visitingKeys: Record<Case["order"], (tool: Tool) => number> = {
  "declared": () => 0,
  "least-recently-called": (tool) => -tool.idle_turns,
  "least-frequently-called": (tool) => tool.calls,
  "largest-schema-first": (tool) => -tool.schema_tokens,
};

function total(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

// ---- words of the protocol, for any tools and history

function callsTool(item: Item, name: string): boolean {
  return item.kind === "calls" && item.calls.some((call) => call.tool === name);
}

function argumentResident(history: Item[], tool: Tool): boolean {
  return history.some((item) => callsTool(item, tool.name));
}

function schemaResident(tool: Tool): boolean {
  return tool.schema === "shown";
}

function hasTombstone(history: Item[], tool: Tool): boolean {
  return history.some((item) => item.kind === "tombstone" && item.tool === tool.name);
}

function isGhost(history: Item[], tool: Tool): boolean {
  return argumentResident(history, tool) && !schemaResident(tool) && !hasTombstone(history, tool);
}

function isHonoured(tool: Tool): boolean {
  return tool.requested && tool.registered;
}

function groupTokens(group: Group): number {
  return total(group.calls.map((call) => call.tokens));
}

// ---- a case of kind judge

function judge(asked: Pick<Case, "tools" | "history">): object {
  const ghosts = asked.tools.filter((tool) => isGhost(asked.history, tool));
  return {
    ghosts: ghosts.map((tool) => tool.name),
    mutation_ghosts: ghosts.filter((tool) => tool.effect !== "reading").map((tool) => tool.name),
  };
}

// ---- a case of kind arbitrate

class Turn {
  asked: Case;
  tools: Tool[];
  history: Item[];
  decisions: Decision[] = [];
  concerned: Set<string> = new Set();

  constructor(asked: Case) {
    this.asked = asked;
    this.tools = asked.tools.map((tool) => ({ ...tool }));
    this.history = [...asked.history];
  }

  groups(): Group[] {
    return this.history.filter((item): item is Group => item.kind === "calls");
  }

  isOwed(tool: Tool): boolean {
    return this.asked.gate === "tombstone" && argumentResident(this.history, tool) && !schemaResident(tool);
  }

  schemaTokens(): number {
    return total(this.tools.filter((tool) => tool.schema !== "withheld").map((tool) => tool.schema_tokens));
  }

  argumentTokens(): number {
    return total(this.groups().map(groupTokens));
  }

  demand(): number {
    const owed = this.tools.filter((tool) => this.isOwed(tool)).map((tool) => tool.tombstone_tokens);
    return this.schemaTokens() + this.argumentTokens() + total(owed) + this.asked.rest_tokens;
  }

  reservedFor(): Tool[] {
    if (this.asked.gate !== "tombstone") return [];
    return this.tools.filter((tool) => argumentResident(this.history, tool));
  }

  argumentSum(): Sum {
    const budgets = this.asked.budgets;
    if (budgets.kind === "joint") return { needed: this.demand(), limit: budgets.total };
    const reserved = total(this.reservedFor().map((tool) => tool.tombstone_tokens));
    return { needed: this.argumentTokens() + reserved, limit: budgets.arguments };
  }

  schemaSum(): Sum {
    const budgets = this.asked.budgets;
    if (budgets.kind === "joint") return { needed: this.demand(), limit: budgets.total };
    return { needed: this.schemaTokens(), limit: budgets.schemas };
  }

  clearTombstone(tool: Tool): void {
    this.history = this.history.filter((item) => item.kind !== "tombstone" || item.tool !== tool.name);
  }

  decide(decision: string, tool: Tool): void {
    this.decisions.push({ decision, tool: tool.name });
    this.concerned.add(tool.name);
  }

  // A1
  expand(): void {
    for (const tool of this.tools.filter(isHonoured)) {
      tool.schema = "shown";
      this.clearTombstone(tool);
      this.decide("expanded", tool);
    }
  }

  // A2 with `sparesHonoured`, A6 without
  trim(sparesHonoured: boolean): void {
    for (const group of this.groups()) {
      const sum = this.argumentSum();
      if (sum.needed <= sum.limit) return;
      const members = this.tools.filter((tool) => callsTool(group, tool.name));
      if (!members.some((tool) => tool.pinned || (sparesHonoured && isHonoured(tool)))) this.evict(group);
    }
  }

  evict(group: Group): void {
    this.history = this.history.filter((item) => item !== group);
    this.decisions.push({ decision: "evicted", group: group.id });
    for (const tool of this.tools.filter((tool) => callsTool(group, tool.name))) {
      this.concerned.add(tool.name);
      if (!argumentResident(this.history, tool)) this.clearTombstone(tool); // A3
    }
  }

  evictAll(tool: Tool): void {
    for (const group of this.groups().filter((group) => callsTool(group, tool.name))) this.evict(group);
  }

  mayPrune(tool: Tool): boolean {
    if (tool.schema === "withheld" || tool.pinned || isHonoured(tool)) return false;
    if (!argumentResident(this.history, tool)) return true;
    if (this.asked.gate === "strict") return false; // A11
    const costsTombstone = this.asked.gate === "tombstone" && schemaResident(tool);
    return this.asked.budgets.kind !== "joint" || !costsTombstone || tool.schema_tokens > tool.tombstone_tokens; // A5
  }

  // A4
  prune(): void {
    const key = visitingKeys[this.asked.order];
    for (const tool of [...this.tools].sort((one, other) => key(one) - key(other))) {
      const sum = this.schemaSum();
      if (sum.needed <= sum.limit) return;
      if (!this.mayPrune(tool)) continue;
      if (this.asked.gate === "evict") this.evictAll(tool); // A10
      tool.schema = "withheld";
      this.decide("pruned", tool);
    }
  }

  // A7
  closeGate(): void {
    for (const tool of this.tools) {
      if (this.asked.gate === "evict" && !tool.pinned && isGhost(this.history, tool)) this.evictAll(tool);
      if (!this.isOwed(tool)) {
        this.clearTombstone(tool);
      } else if (!hasTombstone(this.history, tool)) {
        this.history.push({ kind: "tombstone", tool: tool.name });
        this.decide("tombstoned", tool);
      }
    }
  }

  answer(): object {
    const before = this.demand();
    this.expand();
    this.trim(true);
    if (this.asked.budgets.kind === "joint") this.prune();
    this.trim(false);
    this.prune();
    this.closeGate();
    const ghosts = this.tools.filter((tool) => isGhost(this.history, tool)).map((tool) => tool.name);
    if (ghosts.length > 0) return { outcome: "ghost-tool-invariant", tools: ghosts };
    return this.exceeded() ?? this.sent(before);
  }

  // A8
  exceeded(): object | null {
    const tombstonePart = (tool: Tool): Part => ({ what: "tombstone", tool: tool.name, tokens: tool.tombstone_tokens });
    const calls: Part[] = this.groups().map((group) => ({ what: "calls", group: group.id, tokens: groupTokens(group) }));
    const schemas: Part[] = this.tools
      .filter((tool) => tool.schema !== "withheld")
      .map((tool) => ({ what: "schema", tool: tool.name, tokens: tool.schema_tokens }));
    const owed = this.tools.filter((tool) => this.isOwed(tool)).map(tombstonePart);
    const rest: Part[] = this.asked.rest_tokens > 0 ? [{ what: "rest", tokens: this.asked.rest_tokens }] : [];
    const checks: [string, Sum, Part[]][] =
      this.asked.budgets.kind === "joint"
        ? [["total", this.argumentSum(), [...schemas, ...calls, ...owed, ...rest]]]
        : [
            ["arguments", this.argumentSum(), [...calls, ...this.reservedFor().map(tombstonePart)]],
            ["schemas", this.schemaSum(), schemas],
          ];
    for (const [budget, { needed, limit }, irreducible] of checks) {
      if (needed > limit) return { outcome: "budget-exceeded", budget, limit, needed, irreducible };
    }
    return null;
  }

  sent(before: number): object {
    const kept = this.tools.filter((tool) => !this.concerned.has(tool.name));
    return {
      outcome: "send",
      decisions: [...this.decisions, ...kept.map((tool) => ({ decision: "kept", tool: tool.name }))],
      tools: this.tools.map((tool) => ({
        name: tool.name,
        schema: tool.schema,
        arguments: argumentResident(this.history, tool),
        tombstone: hasTombstone(this.history, tool),
      })),
      history: this.history.map((item) =>
        item.kind === "calls" ? { kind: item.kind, id: item.id } : { kind: item.kind, tool: item.tool },
      ),
      tokens: { before, after: this.demand() },
    };
  }
}

// ---- the conversation

function reply(message: { type: string; id?: string; kind?: string; case?: Case; protocols?: number[] }): object {
  if (message.type === "hello") {
    if (!message.protocols?.includes(1)) throw new Error("this program speaks protocol 1 only");
    const capabilities = ["separate-budgets", "gate-evict", "gate-strict"];
    return { type: "hello", protocol: 1, name: "gate.ts", version: "1", capabilities };
  }
  if (message.type !== "case" || message.case === undefined) throw new Error(`unknown message ${message.type}`);
  if (message.kind === "judge") return { type: "answer", id: message.id, ...judge(message.case) };
  if (message.kind === "arbitrate") return { type: "answer", id: message.id, ...new Turn(message.case).answer() };
  return { type: "skip", id: message.id, reason: `unknown kind of case: ${message.kind}` };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(reply(JSON.parse(line))) + "\n");
}
