// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Puts the calls of {@link Hooks} into classes as they are loaded, or again if they were loaded before. */
final class HookTransformer implements ClassFileTransformer {

    private static final int API = Opcodes.ASM9;
    private static final String WATCH = JvmWatch.class.getName().replace('.', '/');

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> beingRedefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (name == null || !Hooks.classes().contains(name)) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        // Calls are added, no branches: the frames stay as they are.
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new HookedClass(writer, name), 0);
        return writer.toByteArray();
    }

    private static final class HookedClass extends ClassVisitor {

        private final String name;

        HookedClass(ClassWriter out, String name) {
            super(API, out);
            this.name = name;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
            MethodVisitor out = super.visitMethod(access, method, descriptor, signature, thrown);
            if (name.equals(Hooks.OFFSET_CLASS)) {
                return new OffsetReads(out);
            }
            Hooks.Hook hook = Hooks.find(name, method);
            boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            if (hook == null || !hasCode || !fits(hook.shape(), descriptor)) {
                return out;
            }
            return new HookedMethod(out, hook, (access & Opcodes.ACC_STATIC) != 0, descriptor);
        }

        private static boolean fits(Hooks.Shape shape, String descriptor) {
            Type[] arguments = Type.getArgumentTypes(descriptor);
            return switch (shape) {
                case NOTHING, THIS, THIS_FIRST, FIRST -> true;
                case SECOND -> arguments.length >= 2 && isReference(arguments[1]);
                case TWO -> arguments.length >= 2 && isReference(arguments[0]) && isReference(arguments[1]);
                case WITH_INT ->
                    arguments.length >= 2 && isReference(arguments[0]) && arguments[1].equals(Type.INT_TYPE);
                case COMMAND ->
                    arguments.length >= 4
                            && arguments[0].getDescriptor().equals(COMMAND_TYPE)
                            && isReference(arguments[1])
                            && isReference(arguments[3]);
            };
        }
    }

    private static final String COMMAND_TYPE = "[Ljava/lang/String;";

    private static boolean isReference(Type type) {
        return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    }

    /** Calls the hook first. */
    private static final class HookedMethod extends MethodVisitor {

        private final Hooks.Hook hook;
        private final int firstArgument;
        private final Type[] arguments;

        HookedMethod(MethodVisitor out, Hooks.Hook hook, boolean isStatic, String descriptor) {
            super(API, out);
            this.hook = hook;
            this.firstArgument = isStatic ? 0 : 1;
            this.arguments = Type.getArgumentTypes(descriptor);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            switch (hook.shape()) {
                case NOTHING -> {}
                case THIS -> super.visitVarInsn(Opcodes.ALOAD, 0);
                case THIS_FIRST -> {
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    first();
                }
                case FIRST -> first();
                case SECOND -> super.visitVarInsn(Opcodes.ALOAD, firstArgument + arguments[0].getSize());
                case TWO -> {
                    first();
                    super.visitVarInsn(Opcodes.ALOAD, firstArgument + arguments[0].getSize());
                }
                case WITH_INT -> {
                    first();
                    super.visitVarInsn(Opcodes.ILOAD, firstArgument + arguments[0].getSize());
                }
                case COMMAND -> {
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitVarInsn(Opcodes.ALOAD, 1);
                    super.visitVarInsn(Opcodes.ALOAD, 3);
                }
            }
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, WATCH, hook.target(), hook.shape().descriptor(), false);
            if (hook.shape() == Hooks.Shape.COMMAND) {
                super.visitTypeInsn(Opcodes.CHECKCAST, COMMAND_TYPE);
                super.visitVarInsn(Opcodes.ASTORE, 0);
            }
        }

        private void first() {
            if (arguments.length > 0 && isReference(arguments[0])) {
                super.visitVarInsn(Opcodes.ALOAD, firstArgument);
            } else {
                super.visitInsn(Opcodes.ACONST_NULL);
            }
        }
    }

    /** Tells of each read of the offset's field, of this object or another one. */
    private static final class OffsetReads extends MethodVisitor {

        OffsetReads(MethodVisitor out) {
            super(API, out);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            if (opcode == Opcodes.GETFIELD && owner.equals(Hooks.OFFSET_CLASS) && field.equals(Hooks.OFFSET_FIELD)) {
                super.visitInsn(Opcodes.DUP);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, WATCH, "offset", "(Ljava/lang/Object;)V", false);
            }
            super.visitFieldInsn(opcode, owner, field, descriptor);
        }
    }
}
