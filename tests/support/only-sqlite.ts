import { test } from 'vitest'
import { isOnPostgres } from './test-database.ts'

/** `test` of what a server does with SQLite alone: its files, its commands, its full disk. */
export const onlySqlite = isOnPostgres ? test.skip : test
