interface TextNode {
  readonly nodeName: string
  readonly nodeValue?: string
  readonly childNodes?: readonly (TextNode | undefined)[]
  readonly internal_transform?: (text: string, index: number) => string
}

type Part = string | ((text: string, index: number) => string) | undefined

/** Control characters except line feed. */
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

const drawn = new WeakMap<TextNode, { parts: readonly Part[]; text: string }>()

/**
 * The painted text of a `<Text>` with all that is in it. Stock Ink paints every text again in every frame; here one that is made of the same
 * parts stays. What we draw has no control characters (`plainText`); should one come nevertheless, no terminal gets it.
 */
export default function squashTextNodes(node: TextNode): string {
  const before = drawn.get(node)
  if (before && behind(node, before.parts, 0) === before.parts.length) return before.text
  const parts: Part[] = []
  const text = painted(node, parts)
  drawn.set(node, { parts, text })
  return text
}

const partOf = (child: TextNode): Part => (child.nodeName === '#text' ? child.nodeValue : child.internal_transform)

/** Position after a node's parts in the list, -1 if they differ. Hot path: every text of every frame. */
function behind({ childNodes = [] }: TextNode, parts: readonly Part[], from: number): number {
  let at = from
  for (const child of childNodes) {
    if (child === undefined) continue
    if (at === parts.length || parts[at] !== partOf(child)) return -1
    at = child.childNodes === undefined ? at + 1 : behind(child, parts, at + 1)
    if (at < 0) return -1
  }
  return at
}

function painted({ childNodes = [] }: TextNode, parts: Part[]): string {
  let text = ''
  for (const [index, child] of childNodes.entries()) {
    if (child === undefined) continue
    parts.push(partOf(child))
    const own = child.nodeName === '#text' ? (child.nodeValue ?? '').replace(control, '') : painted(child, parts)
    text += own === '' || !child.internal_transform ? own : child.internal_transform(own, index)
  }
  return text
}
