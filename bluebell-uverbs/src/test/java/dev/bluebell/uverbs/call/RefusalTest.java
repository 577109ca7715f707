package dev.bluebell.uverbs.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The error numbers that clients get for refused commands. */
class RefusalTest {
  private static final Map<Integer, Integer> BY_STATUS =
      Map.of(
          CommandStatus.RES_BUSY, Errno.EBUSY,
          CommandStatus.LIM_ERR, Errno.ENOMEM,
          CommandStatus.NO_RES, Errno.EAGAIN,
          CommandStatus.INT_ERR, Errno.EIO,
          CommandStatus.BAD_SYS_STATE, Errno.EIO,
          CommandStatus.BAD_INP_LEN, Errno.EIO,
          CommandStatus.BAD_OUTP_LEN, Errno.EIO,
          CommandStatus.BAD_PARAM, Errno.EINVAL,
          CommandStatus.BAD_RES, Errno.EINVAL);

  private static HcaException refusal(int status) {
    byte[] output = View.of(CmdOut.STRUCTURE).set(CmdOut.STATUS, status).bytes();
    return new HcaException("CREATE_CQ", output, "the reason");
  }

  @Test
  void aCommandOfTheKernelIsRefusedByItsStatus() {
    BY_STATUS.forEach(
        (status, errno) -> {
          Refusal refusal = Refusal.of(refusal(status));
          assertThat(refusal.errno()).as("status %d", status).isEqualTo(errno);
          assertThat(refusal).hasMessageContaining("CREATE_CQ").hasMessageContaining("the reason");
        });
  }

  @Test
  void aCommandOfTheClientIsRefusedByTheDevice() {
    Refusal refusal = Refusal.byDevice(refusal(CommandStatus.RES_BUSY));
    assertThat(refusal.errno()).isEqualTo(Errno.EREMOTEIO);
    assertThat(refusal).hasMessageContaining("the reason");
  }
}
