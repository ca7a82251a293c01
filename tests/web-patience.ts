import { configure } from '@testing-library/react'

// What is awaited on a busy machine comes later than in a second, never wrong.
configure({ asyncUtilTimeout: 30_000 })
