import { fileURLToPath } from 'node:url'
import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** A machine that is busy with something else makes everything slower, never wrong: what is waited for comes, or the test fails late. */
const patience = {
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  // A landing is not lost to one slow moment of a loaded machine; at a desk a flake shows. Projects take nothing of this from the whole.
  retry: process.env.CI ? 1 : 0,
}

/** Tests that count what the program does, or replace a module of it: they can't share modules with others. */
const alone = [
  'packages/*/src/**/*.alone.test.{ts,tsx}',
  'apps/{server,agent,tui}/src/**/*.alone.test.{ts,tsx}',
  'tests/**/*.alone.test.ts',
]
/** Those that lack a program (`scripts/test.mjs`). */
const leftOut = process.env.QD_LEFT_OUT?.split(' ') ?? []
const webAlone = ['apps/web/src/**/*.alone.test.{ts,tsx}']
const web = { environment: 'happy-dom', setupFiles: 'tests/web-patience.ts', ...patience }
const webPlugins = [react(), vanillaExtractPlugin()]
/** How 3,000 agents fare says nothing while other tests have the processors. */
const last = ['tests/server/many-agents.test.ts']
/** Quicker ways to the same. */
const alias = [
  {
    find: /^\.\/thread\.ts$/,
    replacement: fileURLToPath(new URL('tests/support/built-thread.ts', import.meta.url)),
  },
  { find: /^@node-rs\/argon2$/, replacement: fileURLToPath(new URL('tests/support/quick-argon2.ts', import.meta.url)) },
]

export default defineConfig({
  test: {
    globalSetup: 'tests/support/test-run.ts',
    projects: [
      {
        resolve: { alias },
        // Half of the time of these went into loading the same modules once per file.
        test: {
          name: 'node',
          isolate: false,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/{server,agent,tui}/src/**/*.test.{ts,tsx}',
            'tests/**/*.test.ts',
          ],
          exclude: [...alone, ...last, ...leftOut],
          ...patience,
        },
      },
      { test: { name: 'alone', include: alone, ...patience } },
      { resolve: { alias }, test: { name: 'last', include: last, sequence: { groupOrder: 1 }, ...patience } },
      {
        plugins: webPlugins,
        test: {
          name: 'web',
          isolate: false,
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          exclude: webAlone,
          ...web,
        },
      },
      { plugins: webPlugins, test: { name: 'web-alone', include: webAlone, ...web } },
    ],
    // Two processors have something to do while a test waits.
    maxWorkers: 4,
  },
})
