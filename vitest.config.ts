import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/{server,agent,tui}/src/**/*.test.{ts,tsx}',
            'tests/**/*.test.ts',
          ],
          exclude: ['tests/e2e/**', '**/node_modules/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react(), vanillaExtractPlugin()],
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
        },
      },
    ],
    maxWorkers: 2,
    // A landing is not lost to one slow moment of a loaded machine; at a desk a flake shows.
    retry: process.env.CI ? 1 : 0,
  },
})
