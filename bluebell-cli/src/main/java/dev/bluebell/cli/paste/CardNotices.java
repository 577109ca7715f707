package dev.bluebell.cli.paste;

import dev.bluebell.cli.paste.Notice.Form;
import dev.bluebell.cli.paste.Notice.Table;
import java.util.List;

/** Lines of Linux about the card: commands without an answer, and the health of its firmware. */
final class CardNotices {
  static final String CARD = "docs/card-failures.md#a-card-that-does-not-answer";

  private static final String LINUX = "the kernel's log";
  private static final String EARLIEST_LINE =
      "Look for the earliest message about this card in dmesg: PCIe errors, temperature, the health"
          + " of the firmware, a reset.";
  private static final String PCIE =
      "Look for PCIe errors (AER, DPC) in dmesg, and check the slot, the power and the"
          + " temperature.";

  /**
   * Numbers of syndromes are those of {@code mlx5_ifc.h: MLX5_CQ_ERROR_SYNDROME_*} and {@code
   * MLX5_INITIAL_SEG_HEALTH_SYNDROME_*}.
   */
  static final Table TABLE =
      new Table(
          List.of(
              "(0x",
              "synd",
              "Syndrome",
              "assert_",
              "health",
              "Health",
              "timeout",
              "PCI slot",
              "fw_ver",
              "Fatal error",
              "ERR CQE",
              "DPC",
              "AER",
              "FAULT",
              "DMAR"),
          List.of(
              new Form(
                  LINUX,
                  "\\bCQ error on CQN 0x[0-9a-f]{1,6}, syndrome? 0x1\\b",
                  "A completion queue overran: the device had a completion for it and no free"
                      + " entry. (This syndrome is that of a CQ event, not the status of a"
                      + " request.)",
                  "Make the completion queue larger than all requests that may be outstanding, or"
                      + " poll faster. Its queue pairs fail as well.",
                  "docs/failures/cq-overrun.md"),
              new Form(
                  LINUX,
                  "\\bCQ error on CQN 0x[0-9a-f]{1,6}, syndrome? 0x2\\b",
                  "The device could not write to the memory of a completion queue.",
                  PCIE,
                  "docs/card-failures.md#memory-that-the-card-cannot-reach"),
              new Form(
                  LINUX,
                  "\\b([A-Z0-9_]{3,60})\\(0x[0-9a-f]{1,4}\\) (?:No done completion|(?:Async,"
                      + " )?timeout\\. Will cause a leak)",
                  "The firmware did not answer the command %1$s in time. Its place in the command"
                      + " queue stays taken until the firmware answers, or the driver is loaded"
                      + " again.",
                  EARLIEST_LINE,
                  CARD),
              new Form(
                  LINUX,
                  "\\b([A-Z0-9_]{3,60})\\(0x[0-9a-f]{1,4}\\) canceled on out of queue timeout",
                  "The command %1$s never reached the firmware, because earlier ones keep all"
                      + " places of the command queue.",
                  EARLIEST_LINE,
                  CARD),
              new Form(
                  LINUX,
                  "\\b([A-Z0-9_]{3,60})\\(0x[0-9a-f]{1,4}\\) (?:Async, )?recovered after timeout",
                  "The firmware answered the command %1$s, but its event was lost.",
                  EARLIEST_LINE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bCommand completion arrived after timeout",
                  "The firmware answered a command after the kernel had given up: it is slow or was"
                      + " busy for a minute or longer.",
                  EARLIEST_LINE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bdevice's health compromised",
                  "The firmware's health counter stands still: the firmware hangs or does not run.",
                  EARLIEST_LINE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bPCI slot is unavailable|\\bsynd 0xff\\b|\\bfw_ver"
                      + " 65535\\.65535\\.65535|\\bassert_(?:exit_ptr|callra) 0xffffffff",
                  "Registers of the card read as ones: PCIe does not reach the card any more.",
                  PCIE + " If a reset does not help, power the machine off.",
                  CARD),
              new Form(
                  LINUX,
                  "\\bsynd 0x10: |\\bHealth issue observed, (?i:high temp)",
                  "The firmware reports a temperature that is too high.",
                  "Check the cooling of the card; it may switch itself off.",
                  CARD),
              new Form(
                  LINUX,
                  "\\bsynd (0x(?:a|12)): |\\bHealth issue observed, (?:ICM fetch PCI)",
                  "The firmware could not read its own data (ICM) from the machine's memory over"
                      + " PCIe.",
                  PCIE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bHealth issue observed, ([^,]{1,60}), severity\\(\\d\\) ([A-Z]{1,20})",
                  "The firmware reports a problem of its own: %1$s (severity %2$s).",
                  "Give the lines assert_var to ext_synd and the firmware's version to NVIDIA's"
                      + " support. An update of the firmware may help.",
                  CARD),
              new Form(
                  LINUX,
                  "\\bsynd 0x([1-9a-f][0-9a-f]?): ([\\w ]{1,60})",
                  "The firmware reports a problem of its own: syndrome 0x%1$s, %2$s.",
                  "Give the lines assert_var to ext_synd and the firmware's version to NVIDIA's"
                      + " support. An update of the firmware may help.",
                  CARD),
              new Form(
                  "devlink health",
                  "\\bSyndrome: ([1-9]\\d{0,2}),? +Description: ([\\w ]{1,60})",
                  "The firmware reports a problem of its own: syndrome %1$s, %2$s.",
                  "Look at dmesg, and give its lines and the firmware's version to NVIDIA's"
                      + " support. An update of the firmware may help.",
                  CARD),
              new Form(
                  LINUX,
                  "\\bpoll_health:.{0,40}Fatal error ([12]) detected",
                  "The driver found the card in a fatal state (sensor %1$s; 1 means that PCIe does"
                      + " not reach it).",
                  PCIE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bpoll_health:.{0,40}Fatal error (\\d{1,3}) detected",
                  "The driver found the card in a fatal state (sensor %1$s; 5 means that the"
                      + " firmware asks for a reset).",
                  EARLIEST_LINE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bERR CQE on SQ: 0x[0-9a-f]{1,6}",
                  "A send queue of the network driver stopped because one of its requests failed.",
                  "Look for the dump of the completion above it, and for PCIe errors.",
                  CARD),
              new Form(
                  LINUX,
                  "\\bAER: (?:Multiple )?(?:Uncorrect\\w{1,10} \\(Non-Fatal\\)|Non-Fatal)",
                  "A PCIe device reports that a transaction failed. The link still works.",
                  "Compare the PCI address with that of the card: the error may be of another"
                      + " device.",
                  CARD),
              new Form(
                  LINUX,
                  "\\bDPC: containment event|\\bAER: (?:Multiple )?(?:Uncorrect\\w{1,10}|Fatal)",
                  "A PCIe port reports an error that it could not correct. The devices below it"
                      + " fail.",
                  PCIE,
                  CARD),
              new Form(
                  LINUX,
                  "\\bIO_PAGE_FAULT\\b|\\bDMAR:.{0,60}\\bfault\\b",
                  "The IOMMU refused an access of a device: the address is not mapped for it.",
                  "Compare the PCI address with that of the card. Boot with iommu=pt, and report it"
                      + " if a kernel driver registered the memory.",
                  "docs/card-failures.md#memory-that-the-card-cannot-reach")));

  private CardNotices() {}
}
