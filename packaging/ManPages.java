// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the manual pages of programs as AsciiDoc: ManPages FOLDER CLASS... Run by tools/deb.sh from this source. */
public final class ManPages {

    private ManPages() {}

    /** The classes are those with a program's {@code main}; each has a {@code commandLine()}. */
    public static void main(String[] args) throws Exception {
        for (int program = 1; program < args.length; program++) {
            List<CommandSpec> commands = new ArrayList<>();
            collect(commandLine(Class.forName(args[program])), commands);
            int exitCode = ManPageGenerator.generateManPage(
                    new File(args[0]), null, new boolean[0], true, commands.toArray(CommandSpec[]::new));
            if (exitCode != 0) {
                System.exit(exitCode);
            }
        }
    }

    private static CommandLine commandLine(Class<?> program) throws ReflectiveOperationException {
        for (Method method : program.getDeclaredMethods()) {
            if (method.getName().equals("commandLine")) {
                method.setAccessible(true);
                Object[] none = method.getParameterCount() == 0 ? new Object[0] : new Object[] {new String[0]};
                return (CommandLine) method.invoke(null, none);
            }
        }
        throw new NoSuchMethodException(program.getName() + ".commandLine");
    }

    private static void collect(CommandLine line, List<CommandSpec> commands) {
        CommandSpec spec = line.getCommandSpec();
        if (spec.usageMessage().hidden() || spec.name().equals("generate-completion")) {
            return;
        }
        commands.add(spec);
        line.getSubcommands().values().forEach(sub -> collect(sub, commands));
    }
}
