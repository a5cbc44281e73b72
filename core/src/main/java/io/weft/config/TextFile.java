package io.weft.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/** Reads text files that a user named, and says in whole sentences why one cannot be read. */
public final class TextFile {
    private TextFile() {}

    /**
     * Reads a file of UTF-8, which may also be a pipe or a device.
     *
     * @param name the file
     * @param mostBytes more than this is refused
     * @return the text
     * @throws IOException with a text that names the file and the reason, fit to be shown alone
     */
    public static String read(String name, int mostBytes) throws IOException {
        Objects.requireNonNull(name, "name");
        Path path = path(name);
        String file = "the file " + Printable.escaped(path.toString()) + " ";
        if (Files.isDirectory(path)) {
            throw new IOException(file + "is a directory");
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw new FileSystemException(name, null, "it is larger than " + mostBytes + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (NoSuchFileException e) {
            throw new IOException(file + "does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + "cannot be read: this user has no permission", e);
        } catch (FileSystemException e) {
            throw new IOException(file + "cannot be read: " + e.getReason(), e);
        } catch (CharacterCodingException e) {
            throw new IOException(file + "cannot be read: it is not UTF-8 text", e);
        } catch (IOException e) {
            throw new IOException(file + "cannot be read: " + e.getMessage(), e);
        }
    }

    private static Path path(String name) throws IOException {
        if (name.isEmpty()) {
            throw new IOException("the name of the file is empty");
        }
        try {
            return Path.of(name).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new IOException("'" + Printable.shortened(name) + "' cannot be the name of a file", e);
        }
    }
}
