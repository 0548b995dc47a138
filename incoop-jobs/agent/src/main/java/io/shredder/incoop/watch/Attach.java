// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/** The child process that attaches the agent to its parent. */
public final class Attach {

    private Attach() {}

    /**
     * Attaches the agent.
     *
     * @param arguments the parent's process id, the agent's jar
     */
    public static void main(String[] arguments)
            throws IOException, AttachNotSupportedException, AgentLoadException, AgentInitializationException {
        VirtualMachine parent = VirtualMachine.attach(arguments[0]);
        try {
            parent.loadAgent(arguments[1]);
        } finally {
            parent.detach();
        }
    }
}
