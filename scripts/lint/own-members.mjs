// ESLint rule: an object is not read (`object[name]`, `name in object`) by a name of type `string`, because the name may
// be one that every object inherits (`constructor`, `toString`). Allowed are arrays, closed sets of names, assignments,
// and `Object.hasOwn(object, name) ? object[name] : …`.
import ts from 'typescript';

export const ownMembers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      inherited: 'The name may be one that every object inherits: use a Map, or ownMember of src/domain/names.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    // A cast to a closed set (`text as Code`) proves nothing.
    const isAnyText = (node) => {
      const type = services.getTypeAtLocation(node.type === 'TSAsExpression' ? node.expression : node);
      return (type.flags & ts.TypeFlags.String) !== 0;
    };
    const isGuarded = (node) => {
      const guard = `Object.hasOwn(${sourceCode.getText(node.object)}, ${sourceCode.getText(node.property)})`;
      for (let at = node; at.parent !== null; at = at.parent) {
        const { type, consequent, test } = at.parent;
        if (type === 'ConditionalExpression' && consequent === at && sourceCode.getText(test).includes(guard))
          return true;
      }
      return false;
    };
    const isAssigned = (node) => node.parent.type === 'AssignmentExpression' && node.parent.left === node;
    return {
      BinaryExpression(node) {
        if (node.operator === 'in' && isAnyText(node.left)) context.report({ node, messageId: 'inherited' });
      },
      MemberExpression(node) {
        if (!node.computed || isAssigned(node) || isGuarded(node) || !isAnyText(node.property)) return;
        const object = services.getTypeAtLocation(node.object);
        if (checker.isArrayType(object) || checker.isTupleType(object)) return;
        context.report({ node, messageId: 'inherited' });
      },
    };
  },
};
