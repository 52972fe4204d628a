const adk = require('@google/adk');

import('../apps/main.mjs').then(({ main }) => main(adk, process.argv.slice(2)));
