package dev.bluebell.cli.text;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.text.Decoder;
import dev.bluebell.roce.packet.Packet;
import java.util.HexFormat;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell encode}: translates text to hexadecimal. */
@Command(
    name = "encode",
    header = "WQEs, CQEs, commands and packets from text to hexadecimal.",
    description = {
      "Reads WQEs, CQEs, commands and packets from the text that 'bluebell decode' prints, and"
          + " prints them as hexadecimal, one a line.",
      "",
      "Fields may be left out: they are 0, and lengths are counted. Blank lines separate entries.",
      "",
      "An entry is a head, '{', lines, and '}'. The head is wqe, recv, cqe, mini_cqes or packet, or"
          + " input or output and the name of a command, with op_mod=NUMBER and length=BYTES where"
          + " wanted. Lines of wqe and recv are segments: their name, then NAME=VALUE for each"
          + " field, as in 'raddr address=0x1000 rkey=0x1100'; data go inline as 'inline' and lines"
          + " of 'bytes' and hexadecimal digits; 'raw' and 'rest' take digits of anything. Lines of"
          + " packet are headers, then payload, pad, icrc and trailer with digits; its lengths and"
          + " checksums are taken from the text. Lines of the others are NAME=VALUE; commands also"
          + " take 'list offset=N DIGITS'. A value is a number such as 10 or 0x0a, or a name such"
          + " as RDMA_WRITE; +0x8=NUMBER gives the dword at byte 8. '#' begins a comment. An"
          + " unknown name is answered with a list of the known ones.",
      "",
      "Example: bluebell encode 'wqe {; ctrl opcode=NOP qpn=0x40; }'"
    })
public final class EncodeCommand extends CliCommand {
  private static final Pattern PACKET = Pattern.compile("packet\\b");

  @Mixin private TextInput input = new TextInput();

  @Option(names = "--json", description = "Print one JSON object for each entry.")
  private boolean json;

  @Override
  public Integer call() {
    if (input.isAmbiguous()) {
      throw wrongUsage("TEXT and --file exclude each other: leave one out");
    }
    for (String text : input.texts()) {
      byte[] bytes = encode(text);
      String hex = HexFormat.of().formatHex(bytes);
      if (json) {
        json().write(JsonLines.object().put("bytes", bytes.length).put("hex", hex));
      } else {
        out().println(hex);
      }
    }
    out().flush();
    return ExitCode.OK;
  }

  private byte[] encode(String text) {
    try {
      return isPacket(text) ? Packet.parse(text).bytes() : Decoder.encode(text);
    } catch (IllegalArgumentException e) {
      throw input.wrong(e);
    }
  }

  private static boolean isPacket(String text) {
    return TextInput.lines(text)
        .findFirst()
        .filter(line -> PACKET.matcher(line).lookingAt())
        .isPresent();
  }
}
