package dev.bluebell.uverbs;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CallAbi.CmdHdr;
import dev.bluebell.hca.uverbs.CallAbi.ExCmdHdr;
import dev.bluebell.hca.uverbs.CallAbi.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContext;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes write commands: from write(), in the legacy and the extended form, and from an ioctl.
 * Mirrors {@code uverbs_main.c: ib_uverbs_write} and {@code uverbs_std_types_device.c:
 * UVERBS_METHOD_INVOKE_WRITE}.
 */
final class Writes {
  private static final int MAX_BYTES = 0x10000;
  private static final int HEADER_BYTES = CmdHdr.STRUCTURE.bytes();
  private static final int EXTENDED_HEADER_BYTES = HEADER_BYTES + ExCmdHdr.STRUCTURE.bytes();

  // Unit of the sizes in headers.
  private static final int WORD = 4;
  private static final int EXTENDED_WORD = 8;

  private Writes() {}

  /**
   * Executes a write.
   *
   * @return bytes consumed
   */
  static long write(Session session, long address, long count) throws IOException {
    Refusal.require(
        count >= HEADER_BYTES && count <= MAX_BYTES,
        Errno.EINVAL,
        "a write can't have %d bytes",
        count);
    byte[] all = session.memory().read(address, (int) count);
    WriteCommand command = WriteCommand.of(View.over(all).getInt(CmdHdr.COMMAND));
    if ((command.number() & WriteCommand.EXTENDED) == 0) {
      command.execute(session, legacy(session, command, all));
    } else {
      command.execute(session, extended(session, all));
    }
    return count;
  }

  private static WriteCall legacy(Session session, WriteCommand command, byte[] all) {
    View header = View.over(all);
    int inBytes = header.getInt(CmdHdr.IN_WORDS) * WORD;
    int outBytes = header.getInt(CmdHdr.OUT_WORDS) * WORD;
    Refusal.require(
        inBytes == all.length,
        Errno.EINVAL,
        "in_words says %d bytes, but the write has %d",
        inBytes,
        all.length);
    int driverAt = HEADER_BYTES + command.requestBytes();
    Refusal.require(
        inBytes >= driverAt && outBytes >= command.responseBytes(),
        Errno.ENOSPC,
        "%s is too short",
        command);
    View in = part(all, HEADER_BYTES, driverAt);
    // All commands that have an output begin with its address.
    long response = command.responseBytes() == 0 ? 0 : in.get(GetContext.RESPONSE);
    return new WriteCall(
        session.memory(),
        in,
        part(all, driverAt, inBytes),
        new WriteCall.Room(response, command.responseBytes()),
        new WriteCall.Room(response + command.responseBytes(), outBytes - command.responseBytes()));
  }

  private static WriteCall extended(Session session, byte[] all) {
    Refusal.require(
        all.length >= EXTENDED_HEADER_BYTES,
        Errno.EINVAL,
        "an extended write can't have %d bytes",
        all.length);
    View header = View.over(all);
    View more = header.at(HEADER_BYTES);
    int inBytes = header.getInt(CmdHdr.IN_WORDS) * EXTENDED_WORD;
    int outBytes = header.getInt(CmdHdr.OUT_WORDS) * EXTENDED_WORD;
    int driverIn = more.getInt(ExCmdHdr.PROVIDER_IN_WORDS) * EXTENDED_WORD;
    int driverOut = more.getInt(ExCmdHdr.PROVIDER_OUT_WORDS) * EXTENDED_WORD;
    int driverAt = EXTENDED_HEADER_BYTES + inBytes;
    Refusal.require(
        driverAt + driverIn == all.length && !more.isSet(ExCmdHdr.CMD_HDR_RESERVED),
        Errno.EINVAL,
        "an extended write of %d bytes says that it has %d and %d for the driver",
        all.length,
        inBytes,
        driverIn);
    long response = more.get(ExCmdHdr.RESPONSE);
    return new WriteCall(
        session.memory(),
        part(all, EXTENDED_HEADER_BYTES, driverAt),
        part(all, driverAt, all.length),
        new WriteCall.Room(response, outBytes),
        new WriteCall.Room(response + outBytes, driverOut));
  }

  private static View part(byte[] all, int from, int to) {
    return View.over(Arrays.copyOfRange(all, from, to));
  }

  /** Executes a write command that comes as an ioctl. */
  static void invoke(Session session, IoctlCall call) throws IOException {
    WriteCommand command = WriteCommand.of(call.handle(InvokeWriteAttrs.WRITE_CMD));
    command.execute(
        session,
        new WriteCall(
            session.memory(),
            View.over(call.bytes(InvokeWriteAttrs.CORE_IN)),
            View.over(call.bytes(InvokeWriteAttrs.UHW_IN)),
            call.roomFor(InvokeWriteAttrs.CORE_OUT),
            call.roomFor(InvokeWriteAttrs.UHW_OUT)));
    call.markWritten(InvokeWriteAttrs.CORE_OUT);
    call.markWritten(InvokeWriteAttrs.UHW_OUT);
  }
}
