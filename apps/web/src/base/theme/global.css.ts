import { globalStyle } from '@vanilla-extract/css'
import { color, mono, ring, sans } from './rules.ts'

globalStyle('*, *::before, *::after', { boxSizing: 'border-box' })
globalStyle('html, body, #root', { height: '100%' })
globalStyle('html', { fontVariantNumeric: 'tabular-nums' })
globalStyle('body', {
  margin: 0,
  background: color.canvas,
  color: color.text,
  fontFamily: sans,
  fontSize: 13,
  lineHeight: '20px',
  fontVariantNumeric: 'tabular-nums',
  WebkitFontSmoothing: 'antialiased',
  textRendering: 'optimizeLegibility',
})
globalStyle('h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset', { margin: 0, padding: 0, border: 0 })
globalStyle('ul, ol', { listStyle: 'none' })
globalStyle('h1', { fontSize: 15, lineHeight: '24px', fontWeight: 600, letterSpacing: '-.006em' })
globalStyle('h2', { fontSize: 14, lineHeight: '20px', fontWeight: 600 })
globalStyle('h3', { fontSize: 12, lineHeight: '16px', fontWeight: 600 })
globalStyle('b, strong', { fontWeight: 600 })
globalStyle('a', { color: color.accent, textDecoration: 'none' })
globalStyle('a:hover', { textDecoration: 'underline', textUnderlineOffset: 2 })
globalStyle('button, input, textarea, select', {
  fontFamily: 'inherit',
  fontSize: 'inherit',
  fontWeight: 'inherit',
  lineHeight: 'inherit',
  fontVariantNumeric: 'inherit',
  color: 'inherit',
})
globalStyle('code', { fontFamily: mono, fontSize: '.923em', fontVariantLigatures: 'none' })
globalStyle('input::placeholder, textarea::placeholder', { color: color.faint, opacity: 1 })
globalStyle(':focus-visible', ring)
globalStyle('[tabindex="-1"]:focus-visible', { outline: 'none' })
globalStyle('*, *::before, *::after', {
  '@media': { '(prefers-reduced-motion: reduce)': { transition: 'none !important', animation: 'none !important' } },
})
