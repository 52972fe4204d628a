/** Version of the grading rules, in every verdict: a change of a rule is a change of this. A test holds it to the package's. */
export const GRADER_VERSION = '0.1.0';
