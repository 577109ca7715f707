package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;

/**
 * Attributes of a responder: the rights of its peer, and how it responds.
 *
 * @param reads whether READs are allowed (rre)
 * @param writes whether RDMA WRITEs are allowed (rwe)
 * @param atomics whether atomics are allowed (rae)
 * @param atomicMode which atomics it executes (atomic_mode)
 * @param rnrTimer code of the time after which the peer retries a message that found no receive WQE
 * @param answersInCqes bytes of received data that go into CQEs (cs_res)
 */
public record ResponderAttributes(
    boolean reads,
    boolean writes,
    boolean atomics,
    int atomicMode,
    int rnrTimer,
    int answersInCqes) {

  /** Reads the attributes from the context of a queue pair. */
  public static ResponderAttributes ofQp(View qpc) {
    return new ResponderAttributes(
        qpc.isSet(Qpc.RRE),
        qpc.isSet(Qpc.RWE),
        qpc.isSet(Qpc.RAE),
        qpc.getInt(Qpc.ATOMIC_MODE),
        qpc.getInt(Qpc.MIN_RNR_NAK),
        qpc.getInt(Qpc.CS_RES));
  }

  /** Reads the attributes from the context of a DC target. */
  public static ResponderAttributes ofDct(View dctc) {
    return new ResponderAttributes(
        dctc.isSet(Dctc.RRE),
        dctc.isSet(Dctc.RWE),
        dctc.isSet(Dctc.RAE),
        dctc.getInt(Dctc.ATOMIC_MODE),
        dctc.getInt(Dctc.MIN_RNR_NAK),
        dctc.getInt(Dctc.CS_RES));
  }
}
