package dev.bluebell.cli.paste;

import dev.bluebell.hca.cqe.Syndrome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  private static final Set<String> OF_MLX5 = Set.of("UCX", "DPDK", "a network driver of Linux");

  /** No completion queue entry has this status. */
  private static final int NO_SYNDROME = -1;

  /** Statuses by number, see {@code verbs.h: ibv_wc_status}; the first one is no failure. */
  private static final List<Status> STATUSES =
      List.of(
          new Status("SUCCESS", "success", NO_SYNDROME),
          new Status("LOC_LEN_ERR", "local length error", Syndrome.LOCAL_LENGTH_ERR),
          new Status("LOC_QP_OP_ERR", "local QP operation error", Syndrome.LOCAL_QP_OP_ERR),
          new Status("LOC_EEC_OP_ERR", "local EE context operation error", NO_SYNDROME),
          new Status("LOC_PROT_ERR", "local protection error", Syndrome.LOCAL_PROT_ERR),
          new Status(
              "WR_FLUSH_ERR", "Work Request Flushed Error", "WR flushed", Syndrome.WR_FLUSH_ERR),
          new Status(
              "MW_BIND_ERR",
              "memory management operation error",
              "memory bind operation error",
              Syndrome.MW_BIND_ERR),
          new Status("BAD_RESP_ERR", "bad response error", Syndrome.BAD_RESP_ERR),
          new Status("LOC_ACCESS_ERR", "local access error", Syndrome.LOCAL_ACCESS_ERR),
          new Status(
              "REM_INV_REQ_ERR", "remote invalid request error", Syndrome.REMOTE_INVAL_REQ_ERR),
          new Status("REM_ACCESS_ERR", "remote access error", Syndrome.REMOTE_ACCESS_ERR),
          new Status("REM_OP_ERR", "remote operation error", Syndrome.REMOTE_OP_ERR),
          new Status(
              "RETRY_EXC_ERR",
              "transport retry counter exceeded",
              Syndrome.TRANSPORT_RETRY_EXC_ERR),
          new Status("RNR_RETRY_EXC_ERR", "RNR retry counter exceeded", Syndrome.RNR_RETRY_EXC_ERR),
          new Status("LOC_RDD_VIOL_ERR", "local RDD violation error", NO_SYNDROME),
          new Status("REM_INV_RD_REQ_ERR", "remote invalid RD request", NO_SYNDROME),
          // Linux calls it "operation aborted", as other programs call other things.
          new Status("REM_ABORT_ERR", "aborted error", Syndrome.REMOTE_ABORTED_ERR));

  /**
   * A status of a completion in libibverbs.
   *
   * @param name in {@code verbs.h}, without its prefix
   * @param text that {@code ibv_wc_status_str} returns
   * @param kernelText that {@code ib_wc_status_msg} of Linux returns
   */
  private record Status(String name, String text, String kernelText, int syndrome) {
    Status(String name, String text, int syndrome) {
      this(name, text, text, syndrome);
    }

    /** Its names in libibverbs and in Linux, and its texts. */
    Stream<String> words() {
      return Stream.of("IBV_WC_" + name, "IB_WC_" + name, text, kernelText);
    }

    boolean isCalled(String word) {
      return words().anyMatch(word::equalsIgnoreCase);
    }
  }

  private static final String NUMBER = "(0[xX][0-9a-fA-F]{1,2}|\\d{1,3})\\b";

  /**
   * A vendor's code in a line of any application, also without a space before it. Linux prints
   * {@code vend_err} as hexadecimal digits without {@code 0x}.
   */
  private static final String VENDOR =
      "(?:vend_err[ =:]{1,3}(?<hex>[0-9a-fA-F]{1,2})\\b|vend[^\\d\\n]{0,20}" + NUMBER + ")";

  /** What precedes the name of a status that is mentioned, and did not occur. */
  private static final String MENTION =
      "(?:\\b(?:after|any|case|for|if|no|not|when)|[!=]=)\\s{0,2}";

  /** Texts of statuses that databases and servers of the web print as well. */
  private static final String COMMON_TEXT = "(?:bad response error|aborted error)";

  /**
   * Matches behind a status, unless it is a common text and neither a word of RDMA precedes it nor
   * a vendor's code follows.
   */
  private static final String CONTEXT =
      "(?:(?<!"
          + COMMON_TEXT
          + ")|(?<=(?:\\bstatus\\W{1,4}(?:\\d{1,2}\\W{1,3})?"
          + "|(?:\\b|_)(?:wc|cqe?|wqe|qp|completion|rdma)(?:\\b|_).{0,60})"
          + COMMON_TEXT
          + ")|(?=.{0,200}?vend))";

  private static final List<Form> FORMS =
      List.of(
          new Form("UCX", Form::number, "\\(synd " + NUMBER + " vend " + NUMBER),
          new Form(
              "a network driver of Linux",
              Form::number,
              "\\bsyndrome " + NUMBER + ", vendor syndrome " + NUMBER),
          new Form(
              "NCCL",
              Report::byNumber,
              "Got completion .{0,200}?(?:error |status=)"
                  + NUMBER
                  + ".{0,200}?vendor err "
                  + NUMBER),
          new Form(
              "perftest",
              Report::byNumber,
              "Failed status " + NUMBER + ": wr_id .{1,40}? syndrom " + NUMBER),
          new Form(
              "an application",
              Report::byNumber,
              "completion with status: ?" + NUMBER + ", vendor syndrome: ?" + NUMBER),
          new Form(
              "an application",
              Report::byNumber,
              "Failed status [a-zA-Z -]{1,60}\\(" + NUMBER + "\\) for wr_id"),
          new Form("Linux", Report::byNumber, "WC error: " + NUMBER + ", [Mm]essage: "),
          new Form(
              "SPDK",
              Report::byNumber,
              "\\b(?:WC error|Error on CQ)\\b.{1,150}?\\bstatus: \\((\\d{1,3})\\)"),
          new Form(
              "SPDK",
              Report::byNumber,
              "\\bCQ error on .{1,60}?, (?:Request|Response Index) (?:0x)?[0-9a-f]{1,20}"
                  + " \\((\\d{1,3})\\)"),
          new Form(
              "an application",
              Report::byNumber,
              "\\bstatus[ =:]{1,2}(\\d{1,2})\\b.{0,80}?" + VENDOR),
          new Form(
              "NFS over RDMA of Linux",
              Report::byNumber,
              "\\b(?:rpc|svc)rdma: .{1,80} \\(" + NUMBER + "/" + NUMBER + "\\)"),
          new Form(
              "the openib transport of Open MPI",
              Report::byNumber,
              "\\bstatus number "
                  + NUMBER
                  + " for wr_id (?:.{1,100}?\\bvendor error "
                  + NUMBER
                  + ")?"),
          new Form("NVSHMEM", Report::byNumber, "\\bibv_poll_cq failed, status: " + NUMBER),
          new Form(
              "DPDK",
              Form::number,
              "Unexpected CQE error syndrome " + NUMBER + " CQN = \\d+ [SR]QN"),
          new Form(
              "an application",
              Report::byWord,
              "(?i)(?<!\\w)(?<!"
                  + MENTION
                  + ")("
                  + words()
                  + ")\\b"
                  + CONTEXT
                  + "(?: syndrome "
                  + NUMBER
                  + "|.{0,200}?"
                  + VENDOR
                  + ")?"));

  private static String words() {
    return STATUSES.stream()
        .filter(status -> status.syndrome != NO_SYNDROME)
        .flatMap(Status::words)
        .distinct()
        .collect(Collectors.joining("|"));
  }

  private static int byNumber(String number) {
    int status = Form.number(number);
    return status < STATUSES.size() ? STATUSES.get(status).syndrome : NO_SYNDROME;
  }

  private static int byWord(String word) {
    return STATUSES.stream()
        .filter(status -> status.isCalled(word))
        .mapToInt(Status::syndrome)
        .findFirst()
        .orElse(NO_SYNDROME);
  }

  /** True for a vendor's code in a line that not only software for mlx5 prints. */
  public boolean mayBeOfAnotherCard() {
    return vendorCode != NO_VENDOR_CODE && !OF_MLX5.contains(form);
  }

  /** The report in a line. */
  static Optional<Report> in(int number, String line) {
    return FORMS.stream().flatMap(form -> form.read(number, line).stream()).findFirst();
  }

  /**
   * A format of failure lines: group 1 is the status, any other the vendor's code, if there is one.
   *
   * @param syndromeOf the syndrome that a status stands for
   */
  private record Form(String name, ToIntFunction<String> syndromeOf, Pattern pattern) {
    Form(String name, ToIntFunction<String> syndromeOf, String pattern) {
      this(name, syndromeOf, Pattern.compile(pattern));
    }

    Optional<Report> read(int number, String line) {
      Matcher matcher = pattern.matcher(line);
      if (!matcher.find()) {
        return Optional.empty();
      }
      int syndrome = syndromeOf.applyAsInt(matcher.group(1));
      int vendor = vendorCode(matcher);
      return syndrome > 0 && syndrome < 256 && vendor < 256
          ? Optional.of(new Report(number, name, syndrome, vendor))
          : Optional.empty();
    }

    /** The code in the first group after the status that matched; {@code hex} has no prefix. */
    private static int vendorCode(Matcher matcher) {
      if (matcher.namedGroups().containsKey("hex") && matcher.group("hex") != null) {
        return Integer.parseInt(matcher.group("hex"), 16);
      }
      for (int group = 2; group <= matcher.groupCount(); group++) {
        if (matcher.group(group) != null) {
          return number(matcher.group(group));
        }
      }
      return NO_VENDOR_CODE;
    }

    /** Reads a number of which leading zeros do not make an octal one. */
    static int number(String digits) {
      return digits.length() > 1 && (digits.charAt(1) == 'x' || digits.charAt(1) == 'X')
          ? Integer.decode(digits)
          : Integer.parseInt(digits);
    }
  }
}
