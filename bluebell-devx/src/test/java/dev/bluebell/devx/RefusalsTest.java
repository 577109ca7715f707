package dev.bluebell.devx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A refusal is one sentence that names the device, the reason and the remedy. */
class RefusalsTest {
  private static final Refusals REFUSALS = new Refusals("mlx5_0");
  private static final byte[] COMMAND =
      View.command(AllocPdIn.STRUCTURE, CommandOpcode.CREATE_CQ).bytes();

  private static byte[] output(int status, long syndrome) {
    return View.of(CmdOut.STRUCTURE, 4)
        .set(CmdOut.STATUS, status)
        .set(CmdOut.SYNDROME, syndrome)
        .bytes();
  }

  @ParameterizedTest
  @CsvSource({
    "13, permission to open /dev/infiniband/uverbs0 was denied",
    "1, belongs to another network namespace",
    "2, pass it in (--device /dev/infiniband)",
    "5, the card was removed or is being reset",
    "24, can't be opened (EMFILE)",
    "23, can't be opened (errno 23)"
  })
  void aFileThatCantBeOpenedIsExplained(int errno, String reason) {
    assertThat(REFUSALS.open(Path.of("/dev/infiniband/uverbs0"), errno))
        .hasMessageStartingWith("device mlx5_0: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "22, CONFIG_INFINIBAND_USER_ACCESS",
    "1, CAP_NET_RAW",
    "11, the card is not active",
    "25, use Linux 5.10 or later",
    "12, ENOMEM"
  })
  void aKernelWithoutDevxIsExplained(int errno, String reason) {
    assertThat(REFUSALS.context(errno)).hasMessageContaining(reason);
  }

  @Test
  void aRouteThatWasNotFoundIsNotTheCauseOfAnyError() {
    assertThat(REFUSALS.unresolved("from GID 1 of port 1 to ::1", Errno.EHOSTUNREACH))
        .hasMessageContaining(
            "the kernel finds no route from GID 1 of port 1 to ::1 (EHOSTUNREACH)");
    assertThat(REFUSALS.unresolved("from GID 1 of port 1 to ::1", Errno.ENOMEM))
        .hasMessageContaining("was refused by the kernel (ENOMEM)")
        .hasMessageNotContaining("no route");
  }

  @Test
  void memoryThatTheMachineDoesNotHaveIsNoMatterOfTheCard() {
    assertThat(REFUSALS.allocation(1L << 50, Errno.ENOMEM))
        .hasMessageContaining("too little memory")
        .hasMessageNotContaining("mlx5_core");
  }

  @Test
  void memoryThatMayNotBePinnedNamesTheLimit() {
    HcaException refusal = REFUSALS.memory("registering memory", 1 << 20, Errno.ENOMEM);
    assertThat(refusal)
        .hasMessageContaining("registering memory of 1048576 bytes")
        .hasMessageContaining("RLIMIT_MEMLOCK");
    assertThat(refusal.status()).isEqualTo(CommandStatus.LIM_ERR);
    assertThat(REFUSALS.memory("registering memory", 1, Errno.EINVAL))
        .hasMessageContaining("same offset in a page");
    assertThat(REFUSALS.memory("registering memory", 1, Errno.EFAULT))
        .hasMessageContaining("registering memory of 1 bytes was refused by the kernel (EFAULT)")
        .hasMessageContaining("a mapped file with such a right must be in memory");
  }

  @ParameterizedTest
  @CsvSource({
    "9, must be an open DMA-BUF",
    "22, the bytes must lie in it",
    "93, use Linux 5.12 or later",
    "95, the card has no on-demand paging",
    "12, ENOMEM"
  })
  void aDmaBufThatIsNotRegisteredIsExplained(int errno, String reason) {
    assertThat(REFUSALS.dmaBuf(7, errno))
        .hasMessageContaining("registering DMA-BUF 7")
        .hasMessageContaining(reason);
  }

  @Test
  void theFirmwaresRefusalHasItsStatusAndSyndrome() {
    HcaException refusal =
        REFUSALS.command(COMMAND, output(CommandStatus.BAD_PARAM, 0x1234), Errno.EREMOTEIO);
    assertThat(refusal)
        .hasMessageContaining("CREATE_CQ failed: status BAD_PARAM, syndrome 0x1234")
        .hasMessageContaining("the firmware of mlx5_0 reports: a field of the command");
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
  }

  @Test
  void aCommandRefusedByTheKernelIsExplainedAsSuch() {
    HcaException refusal = REFUSALS.command(COMMAND, output(CommandStatus.OK, 0), Errno.EINVAL);
    assertThat(refusal)
        .hasMessageContaining("CREATE_CQ was refused (EINVAL)")
        .hasMessageContaining("does not let processes send this command");
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
  }

  @Test
  void aBusyObjectIsBusyForTheDriver() {
    assertThat(REFUSALS.call("deregistering a umem", Errno.EBUSY).status())
        .isEqualTo(CommandStatus.RES_BUSY);
  }

  @Test
  void aCommandAboutAnObjectOfTheKernelNamesTheKindOfObject() {
    assertThat(REFUSALS.noCommands("device memory", COMMAND))
        .hasMessageContaining("CREATE_CQ is not a command about device memory");
  }
}
