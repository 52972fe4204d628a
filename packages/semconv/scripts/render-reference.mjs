export const renderAttributeReference = () => 'x\n';
export const renderMetricReference = () => 'x\n';
