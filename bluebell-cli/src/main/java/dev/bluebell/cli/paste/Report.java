package dev.bluebell.cli.paste;

import dev.bluebell.hca.cqe.Syndrome;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that reports a failed request without its bytes.
 *
 * @param line its number, from 1
 * @param form the source of such lines, such as the kernel
 * @param syndrome of the failure
 * @param vendorCode the vendor's, 0 … 255; {@link #NO_VENDOR_CODE} when the line has none
 */
public record Report(int line, String form, int syndrome, int vendorCode) implements Piece {
  /** Stands for an unknown vendor code. */
  public static final int NO_VENDOR_CODE = -1;

  /** Syndromes by {@code verbs.h: ibv_wc_status}. */
  private static final int[] BY_STATUS = {
    -1,
    Syndrome.LOCAL_LENGTH_ERR,
    Syndrome.LOCAL_QP_OP_ERR,
    -1,
    Syndrome.LOCAL_PROT_ERR,
    Syndrome.WR_FLUSH_ERR,
    Syndrome.MW_BIND_ERR,
    Syndrome.BAD_RESP_ERR,
    Syndrome.LOCAL_ACCESS_ERR,
    Syndrome.REMOTE_INVAL_REQ_ERR,
    Syndrome.REMOTE_ACCESS_ERR,
    Syndrome.REMOTE_OP_ERR,
    Syndrome.TRANSPORT_RETRY_EXC_ERR,
    Syndrome.RNR_RETRY_EXC_ERR,
    -1,
    -1,
    Syndrome.REMOTE_ABORTED_ERR
  };

  private static final String NUMBER = "(0[xX][0-9a-fA-F]{1,2}|\\d{1,3})\\b";

  private static final List<Form> FORMS =
      List.of(
          new Form("UCX", false, "\\(synd " + NUMBER + " vend " + NUMBER),
          new Form(
              "a network driver of Linux",
              false,
              "\\bsyndrome " + NUMBER + ", vendor syndrome " + NUMBER),
          new Form(
              "NCCL",
              true,
              "Got completion .{0,200}?(?:error |status=)"
                  + NUMBER
                  + ".{0,200}?vendor err "
                  + NUMBER),
          new Form(
              "perftest", true, "Failed status " + NUMBER + ": wr_id .{1,40}? syndrom " + NUMBER),
          new Form(
              "an application",
              true,
              "completion with status: ?" + NUMBER + ", vendor syndrome: ?" + NUMBER),
          new Form(
              "an application",
              true,
              "Failed status [a-zA-Z -]{1,60}\\(" + NUMBER + "\\) for wr_id"),
          new Form("Linux", true, "WC error: " + NUMBER + ", [Mm]essage: "));

  /** The report in a line. */
  static Optional<Report> in(int number, String line) {
    return FORMS.stream().flatMap(form -> form.read(number, line).stream()).findFirst();
  }

  /** A format of failure lines: group 1 is the status, group 2 the vendor's code. */
  private record Form(String name, boolean byStatus, Pattern pattern) {
    Form(String name, boolean byStatus, String pattern) {
      this(name, byStatus, Pattern.compile(pattern));
    }

    Optional<Report> read(int number, String line) {
      Matcher matcher = pattern.matcher(line);
      if (!matcher.find()) {
        return Optional.empty();
      }
      int first = Integer.decode(decimal(matcher.group(1)));
      int syndrome = byStatus ? byStatus(first) : first;
      int vendor =
          matcher.groupCount() < 2 ? NO_VENDOR_CODE : Integer.decode(decimal(matcher.group(2)));
      return syndrome > 0 && syndrome < 256 && vendor < 256
          ? Optional.of(new Report(number, name, syndrome, vendor))
          : Optional.empty();
    }

    private static int byStatus(int status) {
      return status < BY_STATUS.length ? BY_STATUS[status] : -1;
    }

    /** Removes leading zeros, which would make a number octal. */
    private static String decimal(String number) {
      return number.length() > 1 && number.charAt(1) != 'x' && number.charAt(1) != 'X'
          ? Integer.toString(Integer.parseInt(number))
          : number;
    }
  }
}
