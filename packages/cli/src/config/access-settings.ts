import { readToken } from './parsers.js';
import { type Setting, path, setting } from './setting.js';

const token = (key: string, brief: string): Setting<string | undefined> =>
  // No flag: the command line of a process is there for everybody on the machine to read.
  setting<string | undefined>(key, undefined, readToken, undefined, brief);

/** Who may speak to the listeners of `serve`. Those for spans and those for operators have nothing in common. */
export const ACCESS_SETTINGS = {
  ingestToken: token('ingest_token', 'bearer token that senders of spans must show'),
  ingestTokenFile: path('ingest_token_file', '--ingest-token-file', 'file of such tokens, one a line'),
  ingestTlsCert: path(
    'ingest_tls_cert',
    '--ingest-tls-cert',
    'PEM file of the certificate chain of both OTLP receivers',
  ),
  ingestTlsKey: path('ingest_tls_key', '--ingest-tls-key', 'PEM file of the key of that certificate'),
  ingestClientCa: path(
    'ingest_client_ca',
    '--ingest-client-ca',
    'PEM file of authorities; senders of spans must show a certificate of one of them',
  ),
  adminToken: token('admin_token', 'bearer token that readers of /metrics must show'),
  adminTokenFile: path('admin_token_file', '--admin-token-file', 'file of such tokens, one a line'),
  adminTlsCert: path('admin_tls_cert', '--admin-tls-cert', 'PEM file of the certificate chain of the admin listener'),
  adminTlsKey: path('admin_tls_key', '--admin-tls-key', 'PEM file of the key of that certificate'),
  adminClientCa: path(
    'admin_client_ca',
    '--admin-client-ca',
    'PEM file of authorities; readers of /metrics must show a certificate of one of them',
  ),
} as const;
