package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.queue.CompletionQueue;

/** Checks the scatter to CQE that a context requests. */
final class ScatterToCqe {
  private ScatterToCqe() {}

  /** Checks cs_req and cs_res of a queue pair. */
  static void check(
      View qpc, ServiceType service, CompletionQueue sends, CompletionQueue receives) {
    int answers = qpc.getInt(Qpc.CS_REQ);
    int messages = qpc.getInt(Qpc.CS_RES);
    requireValid(
        answers == 0 || answers == Qpc.CS_REQ_32 || answers == Qpc.CS_REQ_64,
        "cs_req 0x%x is not valid: it must be 0, 0x11 (32 bytes) or 0x22 (64 bytes)",
        answers);
    requireValid(
        messages == 0 || messages == Qpc.CS_RES_32 || messages == Qpc.CS_RES_64,
        "cs_res 0x%x is not valid: it must be 0, 1 (32 bytes) or 2 (64 bytes)",
        messages);
    requireValid(
        answers == 0 || service != ServiceType.UC && service != ServiceType.UD,
        "cs_req 0x%x: a queue pair of service %s has no READs or atomics",
        answers,
        service);
    requireValid(
        messages == 0 || service != ServiceType.UD,
        "cs_res %d: datagrams cannot be scattered to CQEs",
        messages);
    // XRC messages complete on the CQ of their SRQ, whose entries may be smaller than those of
    // cqn_rcv.
    requireValid(
        messages == 0 || service != ServiceType.XRC,
        "cs_res %d: XRC messages cannot be scattered to CQEs",
        messages);
    requireValid(
        answers != Qpc.CS_REQ_64 || sends.hasLargeEntries(),
        "cs_req 0x22: the CQEs of cqn_snd 0x%x have no room for 64 bytes (cqe_sz 0)",
        sends.number());
    requireValid(
        messages != Qpc.CS_RES_64 || receives.hasLargeEntries(),
        "cs_res 2: the CQEs of cqn_rcv 0x%x have no room for 64 bytes (cqe_sz 0)",
        receives.number());
  }

  /** Checks cs_res of a DC target, which supports only the long form. */
  static void checkTarget(int messages, CompletionQueue receives) {
    requireValid(
        messages == 0 || messages == Qpc.CS_RES_64,
        "cs_res 0x%x is not valid: for a DC target it must be 0 or 2 (64 bytes)",
        messages);
    requireValid(
        messages == 0 || receives.hasLargeEntries(),
        "cs_res 2: the CQEs of cqn 0x%x have no room for 64 bytes (cqe_sz 0)",
        receives.number());
  }
}
