import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from './axe.ts'

/** Each theme and each width once: colors are tokens of the theme, whatever the width. */
export const looks = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 400 },
] as const

/** axe finds nothing in any look, once the shown text or element is there; with QD_LOOK also as pictures of that name. Leaves the page at its size. */
export async function expectNoFindings(page: Page, { shown, name }: { shown: Locator; name: string }): Promise<void> {
  const size = page.viewportSize()!
  for (const { theme, width } of looks) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 800 })
    await expect(shown).toBeAttached()
    expect(await violations(page)).toEqual([])
    if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/${name}-${theme}-${width}.png` })
  }
  await page.setViewportSize(size)
}

/** What is wrong with the texts inside an element: cut without a way to read them, out of sight, or over each other. Empty: nothing. */
export function textTrouble(root: Locator): Promise<string[]> {
  return root.evaluate((element) => {
    const texts: { text: string; box: DOMRect; parent: Element }[] = []
    const trouble: string[] = []
    const isClipping = (style: CSSStyleDeclaration) => style.overflowX === 'hidden' || style.overflowX === 'clip'
    const isScrolling = (style: CSSStyleDeclaration) => style.overflowX === 'auto' || style.overflowX === 'scroll'
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      const text = node.textContent!.trim()
      if (text === '' || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0 || box.bottom <= 0 || box.top >= innerHeight) continue
      let isSeen = true
      let clipped: Element | null = null
      let { top, bottom } = box
      for (let above: Element | null = parent; above; above = above.parentElement) {
        const style = getComputedStyle(above)
        const edge = above.getBoundingClientRect()
        if (style.clipPath !== 'none' || edge.bottom <= box.top || edge.top >= box.bottom) {
          if (style.overflowY !== 'visible' || style.clipPath !== 'none') isSeen = false
        }
        // Of a line at the edge of what scrolls only a part is to be seen.
        if (style.overflowY !== 'visible') {
          top = Math.max(top, edge.top)
          bottom = Math.min(bottom, edge.bottom)
        }
        if (isScrolling(style)) break
        if (isClipping(style) && (box.right > edge.right + 1 || box.left < edge.left - 1)) clipped ??= above
      }
      if (!isSeen) continue
      const isTold = parent.closest('[title]') !== null
      if (clipped && !isTold) trouble.push(`cut: ${text}`)
      if (!clipped && (box.right > innerWidth + 1 || box.left < -1)) {
        const scroller = parent.closest('fieldset, pre, [data-scrolls]')
        if (!scroller) trouble.push(`outside: ${text}`)
      }
      if (!clipped) texts.push({ text, box: new DOMRect(box.x, top, box.width, bottom - top), parent })
    }
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        const isInline = one.parent.contains(other.parent) || other.parent.contains(one.parent)
        if (width > 1 && height > 4 && !isInline) trouble.push(`over each other: ${one.text} / ${other.text}`)
      }
    }
    return trouble
  })
}
