import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './support/test-run.ts',
  outputDir: 'e2e/.out',
  // Each has a product of its own. A third has something to do while the others wait.
  workers: 3,
  // A landing is not lost to one slow moment of a loaded machine; at a desk a flake shows.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Asia/Kolkata',
    // Recording takes a fifth of the time of a test.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env['QD_CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-gpu',
      ],
    },
  },
})
