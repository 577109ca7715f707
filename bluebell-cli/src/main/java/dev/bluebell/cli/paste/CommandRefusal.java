package dev.bluebell.cli.paste;

import dev.bluebell.hca.command.CommandStatus;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the kernel's log about a command that the firmware refused: of {@code mlx5_cmd_check}
 * or {@code mlx5_cmd_out_err} in Linux, {@code core/cmd.c}, or of rdma-core's {@code mlx5_vfio.c}.
 *
 * @param line its number, from 1
 * @param opcode of the command, 16 bits
 * @param modifier op_mod, 16 bits
 * @param status 8 bits, see {@link CommandStatus}
 * @param syndrome 32 bits
 * @param errno what the kernel made of it, such as −22; 0 when the line does not say
 */
public record CommandRefusal(
    int line, int opcode, int modifier, int status, int syndrome, int errno) implements Piece {
  /** What the syndrome of a command is. */
  public static final String SYNDROME =
      "The syndrome distinguishes the reasons for refusals of this firmware, and no public document"
          + " lists them.";

  /** What to do with the syndrome of a command. */
  public static final String SEARCH =
      "Search for the syndrome together with the command, or give it to NVIDIA's support with the"
          + " firmware's version.";

  private static final Pattern FORM =
      Pattern.compile(
          "\\b\\w{1,64}\\(0x([0-9a-f]{1,4})\\),? op_mod\\(0x([0-9a-f]{1,4})\\) failed, status"
              + " [^()]{0,64}\\(0x([0-9a-f]{1,2})\\), syndrome \\(0x([0-9a-f]{1,8})\\)"
              + "(?:, err\\((-?\\d{1,5})\\))?");

  /** The refusal in a line. */
  static Optional<CommandRefusal> in(int number, String line) {
    Matcher matcher = FORM.matcher(line);
    if (!matcher.find()) {
      return Optional.empty();
    }
    String error = matcher.group(5);
    return Optional.of(
        new CommandRefusal(
            number,
            Integer.parseInt(matcher.group(1), 16),
            Integer.parseInt(matcher.group(2), 16),
            Integer.parseInt(matcher.group(3), 16),
            Integer.parseUnsignedInt(matcher.group(4), 16),
            error == null ? 0 : Integer.parseInt(error)));
  }

  @Override
  public Object subject() {
    return new CommandRefusal(0, opcode, modifier, status, syndrome, errno);
  }

  /** The meaning of the status. */
  public String meaning() {
    return CommandStatus.meaning(status);
  }
}
