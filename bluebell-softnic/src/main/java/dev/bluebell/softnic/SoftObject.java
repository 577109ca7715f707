package dev.bluebell.softnic;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;

/** Handle of an object that a command created. */
final class SoftObject implements HcaObject {
  private final SoftNic device;
  private final ObjectKind kind;
  private final byte[] output;
  private final byte[] destruction;
  private final int number;
  private boolean closed;

  /**
   * @param command that created the object
   * @param output its answer
   */
  SoftObject(SoftNic device, ObjectKind kind, byte[] command, byte[] output) {
    this.device = device;
    this.kind = kind;
    this.output = output;
    number = kind.number(View.over(output));
    destruction = kind.destruction(View.over(command), View.over(output));
  }

  ObjectKind kind() {
    return kind;
  }

  SoftNic device() {
    return device;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public byte[] output() {
    return output.clone();
  }

  @Override
  public byte[] modify(byte[] command) {
    return execute(
        command, kind.modify().contains(View.over(command).getInt(CmdIn.OPCODE)), "modify");
  }

  @Override
  public byte[] query(byte[] command) {
    return execute(
        command, kind.query().contains(View.over(command).getInt(CmdIn.OPCODE)), "query");
  }

  private synchronized byte[] execute(byte[] command, boolean fits, String verb) {
    String name = CommandOpcode.name(View.over(command).getInt(CmdIn.OPCODE));
    if (!fits) {
      throw device.refusal(
          name, "opcode %s does not %s %s".formatted(name, verb, Counted.a(kind.toString())));
    }
    if (closed || View.over(command).getInt(ObjectKind.NUMBER) != number) {
      throw device.refusal(
          name,
          closed
              ? "%s 0x%x is closed".formatted(kind, number)
              : "the command names object 0x%x, but this is 0x%x"
                  .formatted(View.over(command).getInt(ObjectKind.NUMBER), number));
    }
    return device.command(command);
  }

  @Override
  public synchronized void close() throws HcaException {
    if (!closed) {
      device.destroy(kind, number, destruction);
      closed = true;
    }
  }
}
