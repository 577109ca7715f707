package dev.bluebell.cli.manual;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * A man page, written from the command line's own model, so that it can't differ from {@code
 * --help}. Source: man(7), groff_man(7).
 */
final class ManualPage {
  private final StringBuilder page = new StringBuilder();

  private ManualPage() {}

  /** The page of a command and all its subcommands. */
  static String of(CommandLine command) {
    return new ManualPage().write(command).page.toString();
  }

  private ManualPage write(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.name();
    macro("TH", name.toUpperCase(Locale.ROOT), "1", "", spec.version()[0], "");
    macro("SH", "NAME");
    // whatis and apropos read this line.
    line(name + " - " + sentence(spec.usageMessage().description()).replaceFirst("\\.$", ""));
    macro("SH", "SYNOPSIS");
    bold(name + " COMMAND [OPTION]... [ARGUMENT]...");
    macro("SH", "COMMANDS");
    subcommands(command);
    macro("SH", "OPTIONS OF ALL COMMANDS");
    options(spec, option -> true);
    macro("SH", "EXIT STATUS");
    exitCodes(spec.usageMessage());
    macro("SH", "ENVIRONMENT");
    item("BLUEBELL_JAVA_OPTS", "Options for the Java runtime, such as -Dbluebell.checks=off.");
    macro("SH", "SEE ALSO");
    line("ibv_devinfo(1), ib_write_bw(1), rping(1)");
    return this;
  }

  private void subcommands(CommandLine command) {
    command.getSubcommands().values().stream().distinct().forEach(this::subcommand);
  }

  private void subcommand(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    macro("SS", spec.qualifiedName());
    UsageMessageSpec usage = spec.usageMessage();
    line(sentence(usage.header()));
    macro("PP");
    bold(synopsis(command));
    for (String paragraph : usage.description()) {
      macro("PP");
      line(paragraph.formatted());
    }
    spec.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .forEach(parameter -> item(parameter.paramLabel(), text(parameter)));
    options(spec, option -> !isOfAll(option));
    if (!usage.exitCodeList().equals(spec.root().usageMessage().exitCodeList())) {
      macro("PP");
      line("Exit codes:");
      exitCodes(usage);
    }
    subcommands(command);
  }

  private static boolean isOfAll(OptionSpec option) {
    return option.inherited() || option.usageHelp() || option.versionHelp();
  }

  private static String synopsis(CommandLine command) {
    return new Help(command.getCommandSpec(), Help.defaultColorScheme(Help.Ansi.OFF))
        .synopsis(0)
        .replaceAll("\\s+", " ")
        .strip();
  }

  private void options(CommandSpec spec, Predicate<OptionSpec> which) {
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && which.test(option)) {
        String names = String.join(", ", option.names());
        item(option.arity().max() == 0 ? names : names + " " + option.paramLabel(), text(option));
      }
    }
  }

  private void exitCodes(UsageMessageSpec usage) {
    for (Map.Entry<String, String> code : usage.exitCodeList().entrySet()) {
      item(code.getKey(), code.getValue() + ".");
    }
  }

  /** Descriptions of arguments need no formatting, unlike those of commands. */
  private static String text(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  /** Joins the parts to one line. Format specifiers are those of a Formatter. */
  private static String sentence(String... parts) {
    return Arrays.stream(parts).map(String::formatted).collect(Collectors.joining(" "));
  }

  private void item(String head, String text) {
    macro("TP");
    bold(head);
    line(text);
  }

  private void bold(String text) {
    page.append("\\fB").append(escaped(text)).append("\\fR\n");
  }

  private void line(String text) {
    String escaped = escaped(text);
    // A line that begins with one of these would be a request.
    page.append(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "")
        .append(escaped)
        .append('\n');
  }

  private void macro(String name, String... words) {
    page.append('.').append(name);
    for (String word : words) {
      page.append(" \"").append(escaped(word)).append('"');
    }
    page.append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("\"", "\\(dq")
        .replaceAll("\\R", "\n.br\n");
  }
}
