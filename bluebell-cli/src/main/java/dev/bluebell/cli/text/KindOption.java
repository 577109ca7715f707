package dev.bluebell.cli.text;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.text.CommandText;
import dev.bluebell.hca.text.Decoder;
import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that name the kind of bytes; at most one of them is given. */
final class KindOption {
  private static final int MAX_OPCODE = 0xffff;

  /** Entries that consist of segments of 16 bytes. */
  private static final Set<Kind> SEGMENTED =
      EnumSet.of(Kind.WQE, Kind.RECEIVE, Kind.SIGNED_RECEIVE, Kind.SHARED_RECEIVE);

  @Option(
      names = "--wqe",
      paramLabel = "TYPE",
      arity = "0..1",
      fallbackValue = "RC",
      preprocessor = TypeOrNothing.class,
      description =
          "Send queue entries, of a queue pair of type ${COMPLETION-CANDIDATES}; RC by default.")
  private @Nullable ServiceType wqe;

  @Option(names = "--recv", description = "Receive queue entries.")
  private boolean receive;

  @Option(names = "--recv-signed", description = "Receive queue entries with signatures.")
  private boolean signedReceive;

  @Option(names = "--srq", description = "Entries of a shared receive queue.")
  private boolean sharedReceive;

  @Option(names = "--cqe", description = "Completion queue entries.")
  private boolean cqe;

  @Option(
      names = "--mini-cqes",
      description = "The entries after the title of compressed completions, basic layout.")
  private boolean miniCqes;

  @Option(
      names = "--mini-cqe-block",
      description = "Blocks of compressed completions, enhanced layout.")
  private boolean miniCqeBlock;

  @Option(names = "--command", description = "Inputs of commands.")
  private boolean command;

  @Option(
      names = "--output",
      paramLabel = "COMMAND",
      arity = "0..1",
      fallbackValue = "",
      preprocessor = CommandOrNothing.class,
      description = "Outputs of commands; name the command, such as CREATE_QP, to see its fields.")
  private @Nullable String output;

  @Option(names = "--packet", description = "Packets, from their Ethernet or IP header on.")
  private boolean packet;

  /** Takes the word after an option only if it belongs to it; otherwise it is input to decode. */
  private abstract static class WordOrNothing implements IParameterPreprocessor {
    private final String nothing;

    WordOrNothing(String nothing) {
      this.nothing = nothing;
    }

    abstract boolean belongs(String word);

    @Override
    public boolean preprocess(
        Stack<String> args, CommandSpec spec, ArgSpec option, Map<String, Object> info) {
      boolean attached = "=".equals(info.get("separator"));
      if (!attached && !args.isEmpty() && !belongs(args.peek())) {
        String unused = args.push(nothing);
      }
      return false;
    }
  }

  static final class TypeOrNothing extends WordOrNothing {
    TypeOrNothing() {
      super(ServiceType.RC.name());
    }

    @Override
    boolean belongs(String word) {
      return Arrays.stream(ServiceType.values())
          .anyMatch(type -> type.name().equalsIgnoreCase(word));
    }
  }

  static final class CommandOrNothing extends WordOrNothing {
    private static final Pattern NAME = Pattern.compile("(?i)nop|[a-z0-9]+(_[a-z0-9]+)+");

    CommandOrNothing() {
      super("");
    }

    @Override
    boolean belongs(String word) {
      return NAME.matcher(word).matches();
    }
  }

  /** True for packets, which are not entries in the device's memory. */
  boolean isPacket() {
    return packet;
  }

  /** The kind that the user named; empty if it has to be guessed. */
  Optional<Kind> kind() {
    return Stream.of(
            kind(wqe != null, Kind.WQE),
            kind(receive, Kind.RECEIVE),
            kind(signedReceive, Kind.SIGNED_RECEIVE),
            kind(sharedReceive, Kind.SHARED_RECEIVE),
            kind(cqe, Kind.CQE),
            kind(miniCqes, Kind.MINI_CQES),
            kind(miniCqeBlock, Kind.MINI_CQE_BLOCK),
            kind(command, Kind.INPUT),
            kind(output != null, Kind.OUTPUT))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Kind> kind(boolean given, Kind kind) {
    return given ? Optional.of(kind) : Optional.empty();
  }

  /**
   * Decodes bytes of a kind to text.
   *
   * @param service of the queue pair of a WQE, if no option names it
   */
  String decode(Kind kind, ServiceType service, byte[] bytes) {
    if (SEGMENTED.contains(kind) && bytes.length < DataSegment.BYTES) {
      throw new IllegalArgumentException(
          "a work queue entry has at least %d bytes, not %d"
              .formatted(DataSegment.BYTES, bytes.length));
    }
    if (kind == Kind.WQE) {
      return WqeText.disassemble(bytes, wqe == null ? service : wqe);
    }
    if (kind == Kind.OUTPUT && output != null && !output.isEmpty()) {
      return CommandText.disassembleOutput(opcode(output), 0, bytes);
    }
    return Decoder.decode(kind, bytes);
  }

  private static int opcode(String name) {
    for (int opcode = 1; opcode <= MAX_OPCODE; opcode++) {
      if (CommandOpcode.name(opcode).equalsIgnoreCase(name)) {
        return opcode;
      }
    }
    throw new IllegalArgumentException(
        "there is no command %s: give its name as in mlx5_ifc.h, such as CREATE_QP"
            .formatted(name));
  }
}
