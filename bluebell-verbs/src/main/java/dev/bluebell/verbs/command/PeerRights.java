package dev.bluebell.verbs.command;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.Access;
import java.util.Set;

/**
 * The rights of a queue pair's peer.
 *
 * @param access its rights
 * @param atomicMode which atomics are served if the peer has the right to atomics
 */
public record PeerRights(Set<Access> access, int atomicMode) {

  public void writeTo(View qpc) {
    boolean atomic = access.contains(Access.REMOTE_ATOMIC);
    qpc.set(Qpc.RRE, access.contains(Access.REMOTE_READ))
        .set(Qpc.RWE, access.contains(Access.REMOTE_WRITE))
        .set(Qpc.RAE, atomic)
        .set(Qpc.ATOMIC_MODE, atomic ? atomicMode : 0);
  }
}
