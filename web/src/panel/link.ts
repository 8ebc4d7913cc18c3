// Deep links: the scene's id stands in the address after the hash sign, as in #scene=hello_bar.

/** The scene that an address names, or null. */
export function sceneOf(hash: string): string | null {
  const id = new URLSearchParams(hash.replace(/^#/, "")).get("scene");
  return id ? id : null;
}

/** The hash of an address for a scene. */
export function hashOf(scene: string): string {
  return `#${new URLSearchParams({ scene }).toString()}`;
}
