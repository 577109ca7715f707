package dev.bluebell.devx;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import java.nio.file.Path;

/**
 * Error messages for refusals of the kernel or the firmware, each with a remedy.
 *
 * @param device its name
 */
record Refusals(String device) {
  /** Room for a status, a syndrome and a reserved part, as every command has. */
  private static final int EXTRA_BYTES = 4;

  private static byte[] output(int status) {
    return View.of(CmdOut.STRUCTURE, EXTRA_BYTES).set(CmdOut.STATUS, status).bytes();
  }

  private HcaException refusal(int status, String sentence) {
    return new HcaException("device %s: %s".formatted(device, sentence), output(status));
  }

  /**
   * A command status with the same meaning: inverts {@code mlx5/core/cmd.c: cmd_status_to_err},
   * which maps several statuses to one error number.
   */
  private static int status(int errno) {
    return switch (errno) {
      case Errno.EBUSY -> CommandStatus.RES_BUSY;
      case Errno.ENOMEM, Errno.ENOSPC -> CommandStatus.LIM_ERR;
      case Errno.EAGAIN -> CommandStatus.NO_RES;
      case Errno.EIO -> CommandStatus.INT_ERR;
      case Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ENOTTY -> CommandStatus.BAD_OP;
      default -> CommandStatus.BAD_PARAM;
    };
  }

  /** The device exists, or may exist, but can't be opened. */
  HcaException unavailable(String sentence) {
    return refusal(CommandStatus.BAD_SYS_STATE, sentence);
  }

  /** The device file could not be opened. */
  HcaException open(Path node, int errno) {
    String why =
        switch (errno) {
          case Errno.EACCES ->
              "permission to open %s was denied: its usual mode is 0666; join its group, or add a"
                  + " udev rule";
          case Errno.EPERM ->
              "%s belongs to another network namespace: move the device into this one (rdma dev"
                  + " set), or share devices (rdma system set netns shared)";
          case Errno.ENOENT ->
              "%s does not exist: in a container, pass it in (--device /dev/infiniband)";
          case Errno.EIO, Errno.ENXIO, Errno.ENODEV ->
              "%s no longer has a device behind it: the card was removed or is being reset";
          default -> "%s can't be opened (" + Errno.name(errno) + ")";
        };
    return unavailable(why.formatted(node));
  }

  /** The file of the connection manager could not be opened. */
  HcaException manager(Path node, int errno) {
    return unavailable(
        switch (errno) {
          case Errno.ENOENT ->
              "%s does not exist: load its module (modprobe rdma_ucm); in a container, pass it in (--device %s)"
                  .formatted(node, node);
          case Errno.EACCES -> "permission to open %s was denied".formatted(node);
          default -> "%s can't be opened (%s)".formatted(node, Errno.name(errno));
        });
  }

  /** The kernel gave no context with DevX. */
  HcaException context(int errno) {
    return unavailable(
        switch (errno) {
          case Errno.EINVAL ->
              "the kernel provides no DevX context: mlx5_ib was built without"
                  + " CONFIG_INFINIBAND_USER_ACCESS, or the firmware has no user contexts"
                  + " (log_max_uctx is 0)";
          case Errno.EPERM ->
              "the kernel allows DevX only to privileged processes: run with CAP_NET_RAW, or use"
                  + " Linux 5.10 or later";
          case Errno.EAGAIN -> "the card is not active: wait until its reset is over";
          case Errno.ENOTTY, Errno.EPROTONOSUPPORT, Errno.EOPNOTSUPP ->
              "the kernel does not open contexts by ioctl: use Linux 5.10 or later";
          default -> "the kernel provides no context (%s)".formatted(Errno.name(errno));
        });
  }

  /**
   * The kernel refused a call.
   *
   * @param what the user's word for it
   */
  HcaException call(String what, int errno) {
    String why =
        switch (errno) {
          case Errno.EBUSY -> "another object still uses it: close that first";
          case Errno.EAGAIN -> "the card has no room for another one";
          case Errno.EIO ->
              "the card or its firmware failed: dmesg shows what mlx5_core logged about it";
          case Errno.EPROTONOSUPPORT, Errno.ENOTTY ->
              "this kernel does not have the call: use Linux 5.10 or later";
          case Errno.EOPNOTSUPP -> "the card or its kernel driver does not support it";
          case Errno.EPERM, Errno.EACCES -> "the process lacks the right";
          default -> "dmesg may show what mlx5_core logged about it";
        };
    return refusal(
        status(errno),
        "%s was refused by the kernel (%s): %s".formatted(what, Errno.name(errno), why));
  }

  /**
   * The kernel did not pin memory.
   *
   * @param bytes requested bytes
   */
  HcaException memory(String what, long bytes, int errno) {
    return switch (errno) {
      case Errno.ENOMEM, Errno.EPERM ->
          refusal(
              CommandStatus.LIM_ERR,
              "%s of %d bytes was refused by the kernel (%s): the limit of locked memory is too low"
                      .formatted(what, bytes, Errno.name(errno))
                  + " (ulimit -l, RLIMIT_MEMLOCK); raise it, or run with CAP_IPC_LOCK");
      case Errno.EINVAL ->
          refusal(
              CommandStatus.BAD_PARAM,
              ("%s of %d bytes was refused by the kernel (EINVAL): the bytes must be mapped, and"
                      + " their address and the address in requests must have the same offset in a"
                      + " page")
                  .formatted(what, bytes));
      case Errno.EFAULT ->
          refusal(
              CommandStatus.BAD_PARAM,
              ("%s of %d bytes was refused by the kernel (EFAULT): the bytes must be mapped, and"
                   + " writable if the access includes a right to write; since Linux 6.5, a mapped"
                   + " file with such a right must be in memory (tmpfs or hugetlbfs) or mapped"
                   + " privately: register it without rights to write")
                  .formatted(what, bytes));
      default -> call(what + " of %d bytes".formatted(bytes), errno);
    };
  }

  /** The kernel did not register a DMA-BUF. */
  HcaException dmaBuf(int descriptor, int errno) {
    String what = "registering DMA-BUF %d".formatted(descriptor);
    return switch (errno) {
      case Errno.EBADF, Errno.EINVAL ->
          refusal(
              CommandStatus.BAD_PARAM,
              ("%s was refused by the kernel (%s): the descriptor must be an open DMA-BUF, and the"
                      + " bytes must lie in it")
                  .formatted(what, Errno.name(errno)));
      case Errno.EPROTONOSUPPORT, Errno.ENOTTY ->
          refusal(
              status(errno),
              "%s was refused by the kernel (%s): it has no DMA-BUF regions; use Linux 5.12 or later"
                  .formatted(what, Errno.name(errno)));
      case Errno.EOPNOTSUPP ->
          refusal(
              status(errno),
              ("%s was refused by the kernel (EOPNOTSUPP): the card has no on-demand paging, which"
                      + " DMA-BUFs need, or the exporting device has no peer-to-peer access")
                  .formatted(what));
      default -> call(what, errno);
    };
  }

  /**
   * The kernel or the firmware refused a command.
   *
   * @param output the command's output; status 0 when the firmware did not execute it
   */
  HcaException command(byte[] command, byte[] output, int errno) {
    String name = name(command);
    int status = View.over(output).getInt(CmdOut.STATUS);
    if (status != CommandStatus.OK) {
      return new HcaException(name, output, meaning(status));
    }
    return errno == Errno.EINVAL
        ? refusal(
            CommandStatus.BAD_PARAM,
            ("%s was refused (EINVAL): the kernel's driver does not let processes send this"
                    + " command, or the firmware refused it; dmesg shows which")
                .formatted(name))
        : call(name, errno);
  }

  /** The kernel gave this process no memory. */
  HcaException allocation(long bytes, int errno) {
    return refusal(
        status(errno),
        "allocating %d bytes was refused by the kernel (%s): the machine has too little memory, or a limit of the process is too low (ulimit -v, its cgroup)"
            .formatted(bytes, Errno.name(errno)));
  }

  /**
   * The kernel did not resolve the address of a peer.
   *
   * @param path from where to where
   */
  HcaException unresolved(String path, int errno) {
    return switch (errno) {
      case Errno.ENETUNREACH, Errno.EHOSTUNREACH, Errno.EINVAL, Errno.ETIMEDOUT, Errno.ENOENT ->
          address(
              "the kernel finds no route %s (%s): the destination must be a GID of the same network and RoCE version; see ip route and ip neigh"
                  .formatted(path, Errno.name(errno)));
      default -> call("resolving the route " + path, errno);
    };
  }

  /** A peer can't be reached. */
  HcaException address(String sentence) {
    return refusal(CommandStatus.BAD_PARAM, sentence);
  }

  /**
   * A command on an object that the kernel owns and that no command created.
   *
   * @param object its kind, as sentences name it
   */
  HcaException noCommands(String object, byte[] command) {
    return refusal(
        CommandStatus.BAD_OP, "%s is not a command about %s".formatted(name(command), object));
  }

  /** A queue pair that is not in a multicast group can't leave it. */
  HcaException notAttached(int qpn, Gid group) {
    return refusal(
        CommandStatus.BAD_PARAM, "QP 0x%x is not attached to group %s".formatted(qpn, group));
  }

  private static String name(byte[] command) {
    return CommandOpcode.name(View.over(command).getInt(CmdIn.OPCODE));
  }

  /** The usual meaning of a firmware status. */
  private String meaning(int status) {
    String usual =
        switch (status) {
          case CommandStatus.INT_ERR -> "an internal error of the firmware";
          case CommandStatus.BAD_OP -> "the firmware does not know the command or its op_mod";
          case CommandStatus.BAD_PARAM -> "a field of the command has a wrong value";
          case CommandStatus.BAD_SYS_STATE -> "the device is not in a state for it";
          case CommandStatus.BAD_RES ->
              "a named object does not exist or does not belong to the process";
          case CommandStatus.RES_BUSY -> "another object still uses it";
          case CommandStatus.LIM_ERR -> "a limit of the device is exceeded";
          case CommandStatus.BAD_RES_STATE -> "a named object is in a wrong state";
          case CommandStatus.IX_ERR -> "an index is outside of its table";
          case CommandStatus.NO_RES -> "the device has no room for another one";
          case CommandStatus.BAD_QP_STATE -> "the queue pair is in a wrong state";
          case CommandStatus.BAD_INP_LEN, CommandStatus.BAD_OUTP_LEN ->
              "the command or its output has a wrong size";
          default -> "a status without a standard meaning";
        };
    return "the firmware of %s reports: %s".formatted(device, usual);
  }

  /** The device is gone. */
  DeviceLostException lost() {
    return new DeviceLostException(
        "device %s is gone: the card was removed or reset, or its kernel side has ended; open it again and recreate all objects"
            .formatted(device),
        output(CommandStatus.BAD_SYS_STATE));
  }
}
