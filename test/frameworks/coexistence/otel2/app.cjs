const load = async (name) => {
  try {
    return require(name);
  } catch {
    return {};
  }
};
import('../apps/flow.mjs').then(({ flow }) => flow(load, process.argv.slice(2)));
