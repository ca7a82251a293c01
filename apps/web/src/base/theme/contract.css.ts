import { createGlobalTheme, createGlobalThemeContract, globalStyle } from '@vanilla-extract/css'
import { dark, light } from './tokens.ts'

const names = Object.fromEntries(Object.keys(light).map((name) => [name, name])) as {
  [K in keyof typeof light]: string
}

/** Every color as a custom property of its own name (`--canvas`), so that tests can read it. */
export const color = createGlobalThemeContract(names)

createGlobalTheme(':root, [data-theme="light"]', color, light)
createGlobalTheme('[data-theme="dark"]', color, dark)
globalStyle(':root, [data-theme="light"]', { colorScheme: 'light' })
globalStyle('[data-theme="dark"]', { colorScheme: 'dark' })
