/** The repository’s papers, such as `ARCHITECTURE.md`, which have a copy on the site under their names in lower case. */
export const papers = ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY']
