package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.require;

import dev.bluebell.hca.command.CommandStatus;
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
    require(
        answers == 0 || answers == Qpc.CS_REQ_32 || answers == Qpc.CS_REQ_64,
        CommandStatus.BAD_PARAM,
        "cs_req 0x%x is not valid: it must be 0, 0x11 (32 bytes) or 0x22 (64 bytes)",
        answers);
    require(
        messages == 0 || messages == Qpc.CS_RES_32 || messages == Qpc.CS_RES_64,
        CommandStatus.BAD_PARAM,
        "cs_res 0x%x is not valid: it must be 0, 1 (32 bytes) or 2 (64 bytes)",
        messages);
    require(
        answers == 0 || service != ServiceType.UC && service != ServiceType.UD,
        CommandStatus.BAD_PARAM,
        "cs_req 0x%x: a queue pair of service %s has no READs or atomics",
        answers,
        service);
    require(
        messages == 0 || service != ServiceType.UD,
        CommandStatus.BAD_PARAM,
        "cs_res %d: datagrams cannot be scattered to CQEs",
        messages);
    // XRC messages complete on the CQ of their SRQ, whose entries may be smaller than those of
    // cqn_rcv.
    require(
        messages == 0 || service != ServiceType.XRC,
        CommandStatus.BAD_PARAM,
        "cs_res %d: XRC messages cannot be scattered to CQEs",
        messages);
    require(
        answers != Qpc.CS_REQ_64 || sends.hasLargeEntries(),
        CommandStatus.BAD_PARAM,
        "cs_req 0x22: the CQEs of cqn_snd 0x%x have no room for 64 bytes (cqe_sz 0)",
        sends.number());
    require(
        messages != Qpc.CS_RES_64 || receives.hasLargeEntries(),
        CommandStatus.BAD_PARAM,
        "cs_res 2: the CQEs of cqn_rcv 0x%x have no room for 64 bytes (cqe_sz 0)",
        receives.number());
  }

  /** Checks cs_res of a DC target, which supports only the long form. */
  static void checkTarget(int messages, CompletionQueue receives) {
    require(
        messages == 0 || messages == Qpc.CS_RES_64,
        CommandStatus.BAD_PARAM,
        "cs_res 0x%x is not valid: for a DC target it must be 0 or 2 (64 bytes)",
        messages);
    require(
        messages == 0 || receives.hasLargeEntries(),
        CommandStatus.BAD_PARAM,
        "cs_res 2: the CQEs of cqn 0x%x have no room for 64 bytes (cqe_sz 0)",
        receives.number());
  }
}
