import { expect, test } from 'vitest'
import { isSafeAddress } from './sign-in-provider.ts'

test.each([
  ['https://git.example', true],
  ['http://localhost:3000/x', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:80/', true],
  ['http://git.example', false],
  ['http://localhost.evil.example', false],
  ['http://localhost:x@evil.example/', false],
  ['http://127.0.0.1@evil.example', false],
  ['javascript:alert(1)', false],
  ['not a URL', false],
])('issue 37.8 whether a provider is asked at %s: %s', (address, isSafe) => expect(isSafeAddress(address)).toBe(isSafe))
