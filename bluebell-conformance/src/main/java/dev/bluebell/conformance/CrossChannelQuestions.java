package dev.bluebell.conformance;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Questions about cross-channel requests: WAIT, SEND_EN, RECV_EN, managed queues and WQE prefetch.
 */
final class CrossChannelQuestions {
  private static final CompletionQueueOptions UNPOLLED =
      CompletionQueueOptions.DEFAULT.withIgnoreOverrun(true);

  private CrossChannelQuestions() {}

  static List<Question> all() {
    return List.of(
            Question.of(
                "M260",
                "How does a WAIT that is already satisfied complete on a queue pair without"
                    + " cd_master?",
                "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
                CrossChannelQuestions::waitWithoutMaster),
            Question.of(
                "M260",
                "How does a SEND_EN for a managed queue complete on a queue pair without"
                    + " cd_master?",
                "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
                CrossChannelQuestions::enableWithoutMaster),
            Question.of(
                "M410",
                "Does a doorbell start the requests of a queue with cd_slave_send?",
                "yes",
                CrossChannelQuestions::doorbellOfManaged),
            Question.of(
                "M262",
                "What does a SEND_EN with an index that was enabled before do?",
                "nothing, and it completes with SUCCESS",
                CrossChannelQuestions::enableAgain),
            Question.of(
                "M262",
                "How does a SEND_EN for a queue pair that does not exist complete?",
                "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
                bench ->
                    master(
                        bench, WqeOpcode.SEND_EN, QueueSegment.second(1, Answers.NOBODYS_NUMBER))),
            Question.of(
                "M262",
                "How does a SEND_EN for a queue of another protection domain complete?",
                "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
                CrossChannelQuestions::enableOfOtherDomain),
            Question.of(
                "M264",
                "Does a message take a receive of a queue with cd_slave_receive if the doorbell"
                    + " record counts it and no RECV_EN enabled it?",
                "no",
                CrossChannelQuestions::managedReceive),
            Question.of(
                "M265",
                "Does a WAIT count a completion in error?",
                "yes",
                CrossChannelQuestions::waitForError),
            Question.of(
                "M266",
                "How does a WAIT for a completion queue that does not exist complete?",
                "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
                bench ->
                    master(bench, WqeOpcode.WAIT, QueueSegment.second(0, Answers.NOBODYS_NUMBER))),
            Question.of(
                "M270",
                "If a WRITE behind a WAIT is rewritten after its doorbell and before the WAIT"
                    + " completes, which version is executed?",
                "the new request: it is fetched when the WAIT ends",
                CrossChannelQuestions::prefetch))
        .stream()
        .map(question -> question.needing("cd"))
        .toList();
  }

  private static byte[] segment(long second) {
    return ByteBuffer.allocate(QueueSegment.BYTES).putLong(0).putLong(second).array();
  }

  /** Executes a request on another queue. */
  private static String execute(Line line, int opcode, long second) {
    new Forgery(line).bytes(segment(second)).post(opcode, 0, 1);
    return Answers.of(line);
  }

  private static String master(Bench bench, int opcode, long second) {
    bench.hca().changeQueuePairs(Qpc.CD_MASTER, 1);
    return execute(new Line(bench, ConnectionKind.RC), opcode, second);
  }

  private static String waitWithoutMaster(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    RcQueuePair other = alone(bench.domain(), completions);
    other.nop().signaled(1);
    other.ringDoorbell();
    if (Answers.next(bench, completions).isEmpty()) {
      return "(no answer: a NOP did not complete)";
    }
    return execute(
        new Line(bench, ConnectionKind.RC),
        WqeOpcode.WAIT,
        QueueSegment.second(0, completions.number()));
  }

  private static RcQueuePair alone(ProtectionDomain domain, CompletionQueue completions) {
    return Bench.toItself(domain.rcQueuePair(completions).create());
  }

  private static MasterQueuePair master(ProtectionDomain domain, CompletionQueue completions) {
    return Bench.toItself(
        domain.rcQueuePair(completions).sendQueue(8).receiveQueue(4).crossChannel().create());
  }

  private static ManagedQueuePair managed(ProtectionDomain domain, CompletionQueue completions) {
    return Bench.toItself(
        domain.rcQueuePair(completions).sendQueue(8).crossChannel().managedSends().create());
  }

  private static String enableWithoutMaster(Bench bench) {
    Line line = new Line(bench, ConnectionKind.RC);
    ManagedQueuePair managed = managed(line.domain, bench.device().createCompletionQueue(16));
    managed.nop().signaled(1);
    return execute(line, WqeOpcode.SEND_EN, QueueSegment.second(1, managed.number()));
  }

  private static String doorbellOfManaged(Bench bench) {
    // To the driver it is a queue pair as others are.
    bench.hca().changeQueuePairs(Qpc.CD_SLAVE_SEND, 1);
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    RcQueuePair queuePair = alone(bench.domain(), completions);
    queuePair.nop().signaled(1);
    queuePair.ringDoorbell();
    return Answers.success(bench, completions);
  }

  private static String enableAgain(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    CompletionQueue ofManaged = bench.device().createCompletionQueue(16);
    ProtectionDomain domain = bench.domain();
    MasterQueuePair master = master(domain, completions);
    ManagedQueuePair managed = managed(domain, ofManaged);
    managed.nop().signaled(1);
    managed.nop().signaled(2);
    master.enableSends(managed, 1).signaled(1);
    master.ringDoorbell();
    if (Answers.next(bench, ofManaged).isEmpty() || Answers.next(bench, completions).isEmpty()) {
      return "(no answer: a first SEND_EN did not work)";
    }
    master.enableSends(managed, 1).signaled(2);
    master.ringDoorbell();
    String ended = Answers.of(bench, completions);
    return bench.pollForAWhile(ofManaged).isEmpty()
        ? "nothing, and it completes with " + ended
        : "it enables more, and completes with " + ended;
  }

  private static String enableOfOtherDomain(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    MasterQueuePair master = master(bench.domain(), completions);
    ManagedQueuePair managed = managed(bench.domain(), bench.device().createCompletionQueue(16));
    managed.nop().signaled(1);
    master.enableSends(managed, 1).signaled(1);
    master.ringDoorbell();
    return Answers.of(bench, completions);
  }

  private static String managedReceive(Bench bench) {
    // To the driver it is a queue pair as others are.
    bench.hca().changeQueuePairs(Qpc.CD_SLAVE_RECEIVE, 1);
    CompletionQueue sends = bench.device().createCompletionQueue(16);
    CompletionQueue receives = bench.device().createCompletionQueue(16);
    RcQueuePair queuePair =
        Bench.toItself(bench.domain().rcQueuePair(sends).receiveCompletions(receives).create());
    queuePair.receive().empty().post(1);
    queuePair.ringReceiveDoorbell();
    queuePair.send().signaled(2);
    queuePair.ringDoorbell();
    List<Done> received = bench.pollForAWhile(receives);
    if (!received.isEmpty()) {
      return received.getFirst().isSuccess() ? "yes" : Answers.of(received.getFirst());
    }
    return bench.pollForAWhile(sends).stream()
        .filter(done -> done.status() != CompletionStatus.RNR_RETRY_EXCEEDED)
        .findFirst()
        .map(done -> "no, and the SEND completes with " + Answers.of(done))
        .orElse("no");
  }

  private static String waitForError(Bench bench) {
    CompletionQueue failing = bench.device().createCompletionQueue(16);
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    ProtectionDomain domain = bench.domain();
    RcQueuePair other = alone(domain, failing);
    other.write(0, 0).gather(0, 8, Answers.NOBODYS_KEY).signaled(1);
    other.ringDoorbell();
    if (Answers.next(bench, failing).filter(done -> !done.isSuccess()).isEmpty()) {
      return "(no answer: no request failed)";
    }
    MasterQueuePair master = master(domain, completions);
    master.waitFor(failing, 0).unsignaled(1);
    master.nop().signaled(2);
    master.ringDoorbell();
    return Answers.success(bench, completions);
  }

  private static String prefetch(Bench bench) {
    CompletionQueue unpolled = bench.device().createCompletionQueue(2, UNPOLLED);
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    ProtectionDomain domain = bench.domain();
    Buffer memory = new Buffer(domain.allocate(64, Access.rights()));
    RcQueuePair other = alone(domain, unpolled);
    MasterQueuePair master = master(domain, completions);
    master.waitFor(unpolled, 0).unsignaled(1);
    master.write(memory.remote(0)).inline(new byte[] {1}, 0, 1).signaled(2);
    master.ringDoorbell();
    // Long enough for a card to prefetch.
    bench.expectCalm(completions);
    MemorySegment request = bench.hca().posted(master.number(), 1);
    // After the control segment, the remote address segment, and the inline length.
    request.set(ValueLayout.JAVA_BYTE, 36, (byte) 2);
    other.nop().signaled(1);
    other.ringDoorbell();
    String ended = Answers.of(bench, completions);
    return switch (memory.bytes(0, 1)[0]) {
      case 1 -> "the old request: it was fetched before the WAIT ended";
      case 2 -> "the new request: it is fetched when the WAIT ends";
      default -> ended;
    };
  }
}
