package dev.bluebell.conformance;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DeviceCommands.QueryLagIn;
import dev.bluebell.hca.command.DeviceCommands.QueryLagOut;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CqeCompression;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Questions about the status that the firmware returns for wrong commands. */
final class CommandQuestions {
  private static final int PAGE_BYTES = 4096;

  /** mtu of a queue pair context, 3 bits; 1 … 5 mean 256 … 4096 bytes. */
  private static final int NO_MTU = 7;

  private static final int NO_PARTITION = 0x7fff;
  private static final int NO_FORMAT = 2;
  private static final int NO_LAYOUT = 3;
  private static final int NO_INLINE = 3;

  private CommandQuestions() {}

  static List<Question> all() {
    return List.of(
        Question.of(
                "M61",
                "Which status does a CREATE_DCT that is shorter than its structure return?",
                "BAD_INP_LEN",
                bench -> Answers.of(() -> bench.hca().create(shortCommand())))
            .needing("dct"),
        refusal(
            "M300",
            "INIT2RTR_QP with the reserved mtu 7",
            CommandOpcode.INIT2RTR_QP,
            in -> in.at(Init2rtrQpIn.QPC).set(Qpc.MTU, NO_MTU),
            Bench::connected),
        refusal(
            "M306",
            "RST2INIT_QP with a pkey_index beyond the table",
            CommandOpcode.RST2INIT_QP,
            in ->
                in.at(Rst2initQpIn.QPC)
                    .at(Qpc.PRIMARY_ADDRESS_PATH)
                    .set(Ads.PKEY_INDEX, NO_PARTITION),
            Bench::connected),
        refusal(
                "M127",
                "CREATE_QP with cs_res 3, which no header names,",
                CommandOpcode.CREATE_QP,
                in -> in.at(CreateQpIn.QPC).set(Qpc.CS_RES, NO_INLINE),
                Bench::connected)
            .needing("sctr_data_cqe"),
        refusal(
                "M188",
                "CREATE_DCT with cs_res 1, and CQEs of 128 bytes,",
                CommandOpcode.CREATE_DCT,
                in -> in.at(CreateDctIn.DCT_CONTEXT_ENTRY).set(Dctc.CS_RES, Qpc.CS_RES_32),
                bench -> new Line(bench, ConnectionKind.DC, Line.Option.INLINE_RECEIVES))
            .needing("dct", "sctr_data_cqe"),
        refusal(
                "M210",
                "CREATE_CQ with mini_cqe_res_format 2, flow tags,",
                CommandOpcode.CREATE_CQ,
                in -> in.at(CreateCqIn.CQ_CONTEXT).set(Cqc.MINI_CQE_RES_FORMAT, NO_FORMAT),
                CommandQuestions::compressed)
            .needing("cqe_compression"),
        refusal(
                "M210",
                "CREATE_CQ with cqe_compression_layout 3",
                CommandOpcode.CREATE_CQ,
                in -> in.at(CreateCqIn.CQ_CONTEXT).set(Cqc.CQE_COMPRESSION_LAYOUT, NO_LAYOUT),
                CommandQuestions::compressed)
            .needing("cqe_compression"),
        Question.of(
            "M302",
            "Which status does a CREATE_MKEY return if its translations_octword_size is too small"
                + " for its length?",
            "BAD_PARAM",
            bench -> key(bench, 12, 16 * PAGE_BYTES)),
        Question.of(
            "M302",
            "Which status does a CREATE_MKEY with log_page_size 0 return?",
            "BAD_PARAM",
            bench -> key(bench, 0, PAGE_BYTES)),
        Question.of(
            "M331",
            "What does QUERY_LAG report for a device that is not in a LAG?",
            "lag_state 0",
            CommandQuestions::lag),
        Question.of(
            "M464",
            "Which status does INIT2RTR_QP with a global route from an empty GID return?",
            "BAD_PARAM",
            CommandQuestions::emptyGid));
  }

  /** A command that the driver sends, with a field changed. */
  private static Question refusal(
      String row, String what, int opcode, Consumer<View> change, Consumer<Bench> action) {
    return Question.of(
        row,
        "Which status does %s return?".formatted(what),
        "BAD_PARAM",
        bench -> refused(bench, opcode, change, action));
  }

  private static String refused(
      Bench bench, int opcode, Consumer<View> change, Consumer<Bench> action) {
    bench.hca().change(opcode, change);
    return Answers.of(() -> action.accept(bench));
  }

  /**
   * The header of a command and a few bytes. Not for commands that create completion queues or
   * queue pairs: Linux itself accesses fields after their header.
   */
  private static byte[] shortCommand() {
    byte[] whole = View.command(CreateDctIn.STRUCTURE, CommandOpcode.CREATE_DCT).bytes();
    return Arrays.copyOf(whole, 32);
  }

  private static String emptyGid(Bench bench) {
    int last = bench.device().port(1).gidTableLength() - 1;
    return refused(
        bench,
        CommandOpcode.INIT2RTR_QP,
        in ->
            in.at(Init2rtrQpIn.QPC)
                .at(Qpc.PRIMARY_ADDRESS_PATH)
                .set(Ads.GRH, true)
                .set(Ads.SRC_ADDR_INDEX, last),
        Bench::connected);
  }

  private static void compressed(Bench bench) {
    CompletionQueue unused =
        bench
            .device()
            .createCompletionQueue(
                16, CompletionQueueOptions.DEFAULT.withCompression(CqeCompression.BASIC));
  }

  private static String key(Bench bench, int logPage, int length) {
    MemorySegment memory = bench.hca().allocate(length);
    View command =
        TamperingHca.keyCommand(bench.domain(), bench.hca().registerUmem(memory), memory);
    command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY).set(Mkc.LOG_PAGE_SIZE, logPage);
    return Answers.of(() -> bench.hca().create(command.bytes()));
  }

  private static String lag(Bench bench) {
    byte[] command = View.command(QueryLagIn.STRUCTURE, CommandOpcode.QUERY_LAG).bytes();
    try {
      View answer = View.over(bench.hca().execute(command));
      return "lag_state %d".formatted(answer.get(QueryLagOut.CTX_LAG_STATE));
    } catch (HcaException refused) {
      return CommandStatus.name(refused.status());
    }
  }
}
