// What a scene is made of, in a line.

import type { SceneStatus } from "../wire/status.js";

export function facts(scene: Pick<SceneStatus, "method" | "bodies">): string {
  const bodies = scene.bodies.map((body) => `${body.name}: ${parts(body).join(", ")}`);
  return [scene.method && `Method: ${scene.method}`, ...bodies].filter(Boolean).join(" · ");
}

/** What a body is made of; one of springs has no elements to speak of. */
function parts({ nodes, elements, springs }: SceneStatus["bodies"][number]): string[] {
  const count = (n: number, one: string) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
  const matter = springs > 0 ? count(springs, "spring") : count(elements, "element");
  return [count(nodes, "node"), matter];
}
