package dev.bluebell.hca;

import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.structure.View;

/**
 * A device refused a command, or can't be opened. The message names the command, the status and, on
 * software devices, what was wrong.
 */
public class HcaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient byte[] output;

  /**
   * @param what the command or call, such as {@code CREATE_QP}
   * @param output the device's answer, which holds status and syndrome
   * @param explanation what was wrong, one sentence; empty when the device does not explain it
   */
  public HcaException(String what, byte[] output, String explanation) {
    super(message(what, output, explanation));
    this.output = output.clone();
  }

  /**
   * A refusal whose message is already complete, for example from another process.
   *
   * @param message message of the refusal
   * @param output the device's answer, which holds status and syndrome
   */
  public HcaException(String message, byte[] output) {
    super(message);
    this.output = output.clone();
  }

  /**
   * A failure outside the device, such as a file that can't be written; the status is INT_ERR.
   *
   * @param message names what failed and the remedy
   */
  public HcaException(String message) {
    this(message, View.of(CmdOut.STRUCTURE, 4).set(CmdOut.STATUS, CommandStatus.INT_ERR).bytes());
  }

  /** The same, with its cause. */
  public HcaException(String message, Throwable cause) {
    this(message);
    Throwable unused = initCause(cause);
  }

  private static String message(String what, byte[] output, String explanation) {
    View out = View.over(output);
    String head =
        "%s failed: status %s, syndrome 0x%x"
            .formatted(
                what, CommandStatus.name(out.getInt(CmdOut.STATUS)), out.get(CmdOut.SYNDROME));
    return explanation.isEmpty() ? head : head + ": " + explanation;
  }

  /** The device's unmodified answer. */
  public byte[] output() {
    return output.clone();
  }

  /** Status byte, see {@link CommandStatus}. */
  public int status() {
    return View.over(output).getInt(CmdOut.STATUS);
  }
}
