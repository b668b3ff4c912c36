// A person's shell, for tests of what people type.

/** Its environment: without what npm and node's test runner tell the processes that they start, and with the CAs that the person trusts. */
export function shellEnv(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(npm_|NODE_|INIT_CWD$)/.test(name),
  );
  return Object.fromEntries(own);
}
