/** A value that is made anew only for other parts. */
export function createKept<Value>(): (parts: readonly unknown[], make: (before: Value | null) => Value) => Value {
  let kept: { parts: readonly unknown[]; value: Value } | null = null
  return (parts, make) => {
    if (!kept?.parts.every((part, at) => part === parts[at])) kept = { parts, value: make(kept?.value ?? null) }
    return kept.value
  }
}
