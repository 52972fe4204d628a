// The app's own tracing is set up here.
export {};
