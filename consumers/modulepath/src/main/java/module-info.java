/** An outside application on the module path; finds its backend as a service. */
module com.example.reader {
    requires io.weft.core;
}
