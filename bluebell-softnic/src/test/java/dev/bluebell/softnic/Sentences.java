package dev.bluebell.softnic;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The sentences in the device's sources: every string of several words, except messages of
 * exceptions to the caller and descriptions of objects or happenings.
 */
final class Sentences {
  private static final Set<String> DESCRIPTIONS = Set.of("toString", "describe", "lines", "peer");
  private static final Pattern WORDS = Pattern.compile("[a-z]+ |\\b [a-z]+");
  private static final Pattern PLACE = Pattern.compile("%[-#+ 0,(]*\\d*(\\.\\d+)?[a-zA-Z]");

  /**
   * One sentence, or part of one.
   *
   * @param text as the source has it, with format specifiers; parts that are computed are {@code
   *     %s}
   */
  record Sentence(String file, long line, String text) {

    /** Finds the sentence in a text, with any values in its places. */
    Pattern pattern() {
      StringBuilder regex = new StringBuilder();
      Matcher place = PLACE.matcher(text);
      int from = 0;
      while (place.find()) {
        regex.append(Pattern.quote(text.substring(from, place.start()))).append(".*");
        from = place.end();
      }
      return Pattern.compile(
          regex.append(Pattern.quote(text.substring(from))).toString(), Pattern.DOTALL);
    }

    /** The longest part without places. */
    String longestPart() {
      return PLACE.splitAsStream(text).max(Comparator.comparingInt(String::length)).orElseThrow();
    }

    @Override
    public String toString() {
      return "%s:%d  %s".formatted(file, line, text);
    }
  }

  private Sentences() {}

  static List<Sentence> of(Path sources) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(sources)) {
      files = walk.filter(path -> path.toString().endsWith(".java")).sorted().toList();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Sentence> sentences = new ArrayList<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(positions, unit, sentences).scan(unit, null);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return sentences;
  }

  private static final class Scanner extends TreeScanner<Void, Void> {
    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final List<Sentence> sentences;

    Scanner(SourcePositions positions, CompilationUnitTree unit, List<Sentence> sentences) {
      this.positions = positions;
      this.unit = unit;
      this.sentences = sentences;
    }

    @Override
    public Void visitAnnotation(AnnotationTree tree, Void nothing) {
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      return DESCRIPTIONS.contains(tree.getName().toString())
          ? null
          : super.visitMethod(tree, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
      return tree.getMethodSelect().toString().startsWith("LOGGER.")
          ? null
          : super.visitMethodInvocation(tree, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
      String type = tree.getIdentifier().toString();
      return type.endsWith("Exception") || type.endsWith("Error") || type.equals("Field")
          ? null
          : super.visitNewClass(tree, nothing);
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
      if (tree.getKind() != Tree.Kind.PLUS || !isText(tree)) {
        return super.visitBinary(tree, nothing);
      }
      add(tree, text(tree));
      scanComputedParts(tree);
      return null;
    }

    private void scanComputedParts(ExpressionTree tree) {
      ExpressionTree inner = unwrapped(tree);
      if (inner instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS && isText(sum)) {
        scanComputedParts(sum.getLeftOperand());
        scanComputedParts(sum.getRightOperand());
      } else if (!(inner instanceof LiteralTree)) {
        scan(inner, null);
      }
    }

    @Override
    public Void visitLiteral(LiteralTree tree, Void nothing) {
      if (tree.getKind() == Tree.Kind.STRING_LITERAL) {
        add(tree, (String) tree.getValue());
      }
      return null;
    }

    private void add(Tree tree, String text) {
      if (WORDS.matcher(text).find()) {
        long at = positions.getStartPosition(unit, tree);
        String file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
        sentences.add(new Sentence(file, unit.getLineMap().getLineNumber(at), text));
      }
    }

    private static ExpressionTree unwrapped(ExpressionTree tree) {
      return tree instanceof ParenthesizedTree parentheses
          ? unwrapped(parentheses.getExpression())
          : tree;
    }

    /** True for a sum that has a string in it, which makes it a string. */
    private static boolean isText(ExpressionTree tree) {
      ExpressionTree inner = unwrapped(tree);
      return inner.getKind() == Tree.Kind.STRING_LITERAL
          || inner instanceof BinaryTree sum
              && sum.getKind() == Tree.Kind.PLUS
              && (isText(sum.getLeftOperand()) || isText(sum.getRightOperand()));
    }

    private static String text(ExpressionTree tree) {
      ExpressionTree inner = unwrapped(tree);
      if (inner instanceof LiteralTree literal) {
        return String.valueOf(literal.getValue());
      }
      return inner instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS && isText(sum)
          ? text(sum.getLeftOperand()) + text(sum.getRightOperand())
          : "%s";
    }
  }
}
