/** A text, or a `<Text>` with what is in it, as Ink keeps them. */
interface TextNode {
  readonly nodeName: string
  readonly nodeValue?: string
  readonly childNodes?: readonly (TextNode | undefined)[]
  readonly internal_transform?: (text: string, index: number) => string
}

type Part = string | ((text: string, index: number) => string) | undefined

/** All of them but the end of a line. */
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

const drawn = new WeakMap<TextNode, { parts: readonly Part[]; text: string }>()

/**
 * The painted text of a `<Text>` with all that is in it. Stock Ink paints every text again in every frame; here one that is made of the same
 * parts stays. What we draw has no control characters (`plainText`); should one come nevertheless, no terminal gets it.
 */
export default function squashTextNodes(node: TextNode): string {
  const parts: Part[] = []
  collect(node, parts)
  const before = drawn.get(node)
  if (before && before.parts.length === parts.length && parts.every((part, at) => part === before.parts[at]))
    return before.text
  const text = painted(node)
  drawn.set(node, { parts, text })
  return text
}

function collect({ childNodes = [] }: TextNode, parts: Part[]): void {
  for (const child of childNodes) {
    if (child === undefined) continue
    parts.push(child.nodeName === '#text' ? child.nodeValue : child.internal_transform)
    if (child.nodeName !== '#text') collect(child, parts)
  }
}

function painted({ childNodes = [] }: TextNode): string {
  let text = ''
  for (const [index, child] of childNodes.entries()) {
    if (child === undefined) continue
    const own = child.nodeName === '#text' ? (child.nodeValue ?? '').replace(control, '') : painted(child)
    text += own === '' || !child.internal_transform ? own : child.internal_transform(own, index)
  }
  return text
}
